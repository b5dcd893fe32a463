package io.holdfast.saga.jdbc.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Reads what a process prints, as it comes, so that the process never waits for a reader. */
final class ChildOutput {

    private final List<String> all = new CopyOnWriteArrayList<>();

    /** Lines nobody asked for yet; an empty one stands for the end. */
    private final BlockingQueue<Optional<String>> unread = new LinkedBlockingQueue<>();

    ChildOutput(Process process) {
        var reader = new Thread(() -> read(process.inputReader()), "child-jvm-output");
        reader.setDaemon(true);
        reader.start();
    }

    private void read(BufferedReader reader) {
        try (reader) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                all.add(line);
                unread.add(Optional.of(line));
            }
        } catch (IOException killed) {
            // The same as the end of its output.
        } finally {
            unread.add(Optional.empty());
        }
    }

    String awaitLine(Predicate<String> wanted, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        try {
            while (true) {
                var next = unread.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (next == null) {
                    throw new AssertionError("the child JVM printed no such line within " + limit + "\n" + this);
                }
                if (next.isEmpty()) {
                    unread.add(next);
                    throw new AssertionError("the child JVM ended without printing such a line\n" + this);
                }
                if (wanted.test(next.get())) {
                    return next.get();
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for the child JVM", interrupted);
        }
    }

    /** All lines so far, for messages. */
    @Override
    public String toString() {
        return "its output: " + (all.isEmpty() ? "none" : "\n  " + String.join("\n  ", all));
    }
}
