package io.holdfast.saga.jdbc.internal.reaper;

import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.jdbc.reaper.Reaper;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The passes of one node: one at a time, none in a burst, and none that ends the ticking. Whoever fires them, a Quartz job or
 * the application, comes through here.
 */
public final class Ticks implements Reaper {
    private static final Logger LOG = LoggerFactory.getLogger(Reaper.class);

    private final Supplier<Pass> pass;
    private final Duration every;
    private final LongSupplier nanos;
    private final ReentrantLock running = new ReentrantLock();
    private final long madeAt;
    private volatile @Nullable Long begunAt;
    private volatile @Nullable Long endedAt;
    private volatile boolean failing;
    private volatile boolean late;
    private volatile boolean closed;

    /** Passes that are due every so often; {@code nanos} is a monotonic clock. */
    public Ticks(Supplier<Pass> pass, Duration every, LongSupplier nanos) {
        this.pass = pass;
        this.every = every;
        this.nanos = nanos;
        this.madeAt = nanos.getAsLong();
    }

    @Override
    public Pass tick() {
        running.lock();
        try {
            if (closed) {
                throw new SagaUsageException(SagaError.CLOSED, "the engine is closed, so its reaper does not tick");
            }
            begunAt = nanos.getAsLong();
            Pass result = pass.get();
            endedAt = nanos.getAsLong();
            return result;
        } finally {
            running.unlock();
        }
    }

    /**
     * A tick of the scheduler. Left out while another is running, and when the last one began less than half an interval ago: a
     * scheduler that was held up fires what it missed in a burst.
     */
    public void fire() {
        if (closed || !running.tryLock()) {
            return;
        }
        try {
            if (!isTooEarly()) {
                tick();
                recovered();
            }
        } catch (RuntimeException | Error e) {
            failed(e);
        } finally {
            running.unlock();
        }
    }

    private boolean isTooEarly() {
        Long begun = begunAt;
        return begun != null && nanos.getAsLong() - begun < every.toNanos() / 2;
    }

    private void failed(Throwable e) {
        if (closed) {
            LOG.debug("A tick ended with the engine", e);
        } else if (failing) {
            LOG.debug("The reaper could not look for due sagas again", e);
        } else {
            failing = true;
            LOG.warn("The reaper could not look for due sagas; it tries again every {}", every, e);
        }
    }

    private void recovered() {
        if (failing) {
            failing = false;
            LOG.info("The reaper looks for due sagas again");
        }
    }

    /** Says so in the log, once, when no pass has ended well for too long. */
    void watch() {
        boolean now = isLate();
        if (now && !late) {
            LOG.warn(
                    "The reaper has completed no tick for {}, though one is due every {}: this node finds no abandoned sagas."
                            + " The database may be away, or the scheduler stopped, paused or out of threads",
                    Duration.ofNanos(age()).truncatedTo(java.time.temporal.ChronoUnit.MILLIS),
                    every);
        }
        late = now;
    }

    @Override
    public boolean isLate() {
        return !closed && age() > 3 * every.toNanos();
    }

    private long age() {
        Long ended = endedAt;
        return nanos.getAsLong() - (ended == null ? madeAt : ended);
    }

    @Override
    public Optional<Duration> sinceLastTick() {
        return endedAt == null ? Optional.empty() : Optional.of(Duration.ofNanos(age()));
    }

    /** No further pass begins; one that is running is waited for, but not longer than so. */
    void close(Duration atMost) {
        closed = true;
        try {
            if (running.tryLock(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
                running.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
