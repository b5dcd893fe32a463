package io.holdfast.saga.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Runs the same from several threads, all released at one moment. */
final class Together {
    private Together() {}

    static <T> List<T> run(int threads, IntFunction<T> work) {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            CountDownLatch start = new CountDownLatch(threads);
            List<Future<T>> results = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                results.add(executor.submit(released(start, work, i)));
            }
            List<T> all = new ArrayList<>();
            for (Future<T> result : results) {
                all.add(result.get());
            }
            return all;
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            executor.shutdownNow();
        }
    }

    private static <T> Callable<T> released(CountDownLatch start, IntFunction<T> work, int number) {
        return () -> {
            start.countDown();
            start.await();
            return work.apply(number);
        };
    }
}
