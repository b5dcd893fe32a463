package io.holdfast.saga.jdbc.internal.reaper;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Looks whether the reaper ticks, from a thread that has nothing to do with who makes it tick. */
final class Watchdog {
    private final ScheduledExecutorService thread;

    Watchdog(String name, Ticks ticks, Duration every) {
        thread = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread daemon = new Thread(work, name + "-watchdog");
            daemon.setDaemon(true);
            return daemon;
        });
        var unused =
                thread.scheduleWithFixedDelay(ticks::watch, every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
    }

    void close() {
        thread.shutdownNow();
    }
}
