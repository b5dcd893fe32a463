package io.holdfast.saga.jdbc.protocol;

import io.holdfast.saga.internal.Waiting;
import java.time.Duration;

/** A node's clocks, which a test can put forward or back; what is scheduled comes when it really should. Threadsafe. */
final class ShiftedClock implements Waiting {
    private final Waiting real = Waiting.real();
    private volatile Duration wall = Duration.ZERO;
    private volatile Duration monotonic = Duration.ZERO;

    /** The wall clock is wrong by so much from now on. */
    ShiftedClock wall(Duration wrongBy) {
        wall = wrongBy;
        return this;
    }

    /** So much time has passed that nobody saw, a pause of the garbage collector say. */
    void pass(Duration unseen) {
        monotonic = monotonic.plus(unseen);
    }

    @Override
    public long nanos() {
        return real.nanos() + monotonic.toNanos();
    }

    @Override
    public long wallMillis() {
        return real.wallMillis() + wall.toMillis();
    }

    @Override
    public Scheduled schedule(Duration delay, Runnable task) {
        return real.schedule(delay, task);
    }

    @Override
    public void close() {
        real.close();
    }
}
