package io.holdfast.saga.internal;

import io.holdfast.saga.RetryPolicy;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** When something is tried again, and whether its thread waits for it. */
final class Retries {
    /** So many times in a row a database that went away is nobody's fault; then it counts as a failure of the step. */
    static final int MAX_OUTAGES = 10;

    private static final Duration LONGEST_CONTENTION = Duration.ofSeconds(5);
    private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(5);

    private final Duration inPlaceLimit;

    /** Whether there is another attempt, and when. */
    record Plan(boolean tryAgain, Duration delay, boolean inPlace) {}

    Retries(Duration inPlaceLimit) {
        this.inPlaceLimit = inPlaceLimit;
    }

    /** After so many failed attempts, the last one included. */
    Plan plan(RetryPolicy policy, int failures, Duration sinceStep) {
        boolean attemptsLeft = policy.attemptLimit().isEmpty()
                || failures < policy.attemptLimit().getAsInt();
        Duration delay = policy.isFixed() ? policy.delayCap(failures) : jittered(policy.delayCap(failures));
        boolean timeLeft = policy.timeLimit()
                .map(limit -> sinceStep.plus(delay).compareTo(limit) < 0)
                .orElse(true);
        return new Plan(attemptsLeft && timeLeft, delay, isInPlace(delay));
    }

    boolean isInPlace(Duration delay) {
        return delay.compareTo(inPlaceLimit) <= 0;
    }

    /** Grows with the time already waited, so that nothing need be counted. */
    Duration contentionDelay(Duration sinceStep) {
        Duration cap = sinceStep.dividedBy(4).plusMillis(20);
        Duration bounded = cap.compareTo(LONGEST_CONTENTION) > 0 ? LONGEST_CONTENTION : cap;
        return bounded.dividedBy(2).plus(jittered(bounded.dividedBy(2)));
    }

    static Duration outageDelay(int outages) {
        return Duration.ofMillis(Math.min(50L << Math.min(outages, 6), 2000));
    }

    static Duration capped(Duration backoff) {
        return backoff.compareTo(LONGEST_BACKOFF) > 0 ? LONGEST_BACKOFF : backoff;
    }

    /** Full jitter: evenly between nothing and the cap. */
    private static Duration jittered(Duration cap) {
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(cap.toMillis() + 1));
    }
}
