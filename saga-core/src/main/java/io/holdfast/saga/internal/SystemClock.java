package io.holdfast.saga.internal;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Real time, with one daemon thread for what is due later. */
final class SystemClock implements Waiting {
    private static final Logger LOG = LoggerFactory.getLogger(SystemClock.class);

    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(1, new DaemonThreads("holdfast-timer"));

    SystemClock() {
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public Scheduled schedule(Duration delay, Runnable task) {
        try {
            ScheduledFuture<?> future = timer.schedule(() -> guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException closed) {
            return () -> {};
        }
    }

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.warn("A timed task failed; the reaper does what it would have done", e);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
