package io.holdfast.saga.internal;

import java.time.Duration;

/**
 * How long this node may believe in a lease, by its own clocks, counted from before the claim or renewal was sent. The wall clock is
 * compared too, since the monotonic one stops while a machine is suspended. Threadsafe.
 */
final class LeaseClock {
    private final Waiting waiting;
    private final Duration lease;
    private volatile Reading since;

    /** Both clocks at one moment. */
    record Reading(long nanos, long wallMillis) {
        static Reading of(Waiting waiting) {
            return new Reading(waiting.nanos(), waiting.wallMillis());
        }

        /** So much later: for a lease that is so much longer than usual. */
        Reading plus(Duration extra) {
            return new Reading(nanos + extra.toNanos(), wallMillis + extra.toMillis());
        }
    }

    LeaseClock(Waiting waiting, Duration lease, Reading since) {
        this.waiting = waiting;
        this.lease = lease;
        this.since = since;
    }

    void renewed(Reading beforeItWasSent) {
        since = beforeItWasSent;
    }

    /** What is left of the lease; negative when it is over. */
    Duration left() {
        Reading begin = since;
        long elapsedNanos = waiting.nanos() - begin.nanos;
        long elapsedWall =
                Duration.ofMillis(waiting.wallMillis() - begin.wallMillis).toNanos();
        return lease.minusNanos(Math.max(elapsedNanos, elapsedWall));
    }

    /** Whether enough is left to begin a step. */
    boolean mayBegin() {
        return left().compareTo(lease.dividedBy(3)) >= 0;
    }

    /** Whether it is time to renew: a third is over. */
    boolean isDueForRenewal() {
        return isDueForRenewalIn(Duration.ZERO);
    }

    /** Whether it will be time to renew that much later. */
    boolean isDueForRenewalIn(Duration later) {
        return left().minus(later).compareTo(lease.multipliedBy(2).dividedBy(3)) <= 0;
    }
}
