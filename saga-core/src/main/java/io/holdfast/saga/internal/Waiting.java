package io.holdfast.saga.internal;

import java.time.Duration;

/** The one clock of the JVM, for waiting and for a node's own idea of its leases; leases themselves are on the store's clock. */
public interface Waiting extends AutoCloseable {
    /** A monotonic reading. */
    long nanos();

    /** A wall clock reading, which goes on while the machine is suspended. */
    long wallMillis();

    /** Runs a short task later, on a thread of its own. */
    Scheduled schedule(Duration delay, Runnable task);

    @Override
    void close();

    /** A task that may be called off. */
    @FunctionalInterface
    interface Scheduled {
        /** Calls it off, where it has not begun. */
        void cancel();
    }

    /** Real time. */
    static Waiting real() {
        return new SystemClock();
    }
}
