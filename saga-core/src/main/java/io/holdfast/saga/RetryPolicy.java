package io.holdfast.saga;

import io.holdfast.saga.internal.Checks;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How often and how patiently a step is tried. Immutable and threadsafe. Ends by default: 5 attempts for actions, 20 for
 * compensations. Exponential delays double up to their maximum and are drawn with full jitter, evenly between zero and the
 * capped value (M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
 */
public final class RetryPolicy {
    /** What actions do unless told otherwise: 5 attempts, 100 ms doubling up to 10 s. */
    public static final RetryPolicy DEFAULT =
            exponential(Duration.ofMillis(100), Duration.ofSeconds(10)).maxAttempts(5);

    /** What compensations do unless told otherwise: 20 attempts, 200 ms doubling up to 5 minutes. */
    public static final RetryPolicy PATIENT =
            exponential(Duration.ofMillis(200), Duration.ofMinutes(5)).maxAttempts(20);

    private static final int FOREVER = 0;

    private final Duration first;
    private final Duration max;
    private final int attempts;
    private final Duration elapsed;

    private RetryPolicy(Duration first, Duration max, int attempts, Duration elapsed) {
        this.first = first;
        this.max = max;
        this.attempts = attempts;
        this.elapsed = elapsed;
    }

    /** {@return a policy of one attempt} */
    public static RetryPolicy none() {
        return new RetryPolicy(Duration.ZERO, Duration.ZERO, 1, Duration.ZERO);
    }

    /**
     * The same delay before each further attempt, without jitter; 5 attempts unless changed.
     *
     * @param delay 1 ms to 1 day
     * @return the policy
     * @throws SagaDefinitionException when the delay is null or out of range (SAGA-104)
     */
    public static RetryPolicy fixed(Duration delay) {
        Checks.duration("retry delay", delay, Duration.ofMillis(1), Duration.ofDays(1));
        return new RetryPolicy(delay, delay, 5, Duration.ZERO);
    }

    /**
     * Doubling delays with full jitter; 5 attempts unless changed.
     *
     * @param first the cap of the first delay, 1 ms to 1 day
     * @param max the cap of all delays, from {@code first} to 1 day
     * @return the policy
     * @throws SagaDefinitionException when a delay is null or out of range (SAGA-104)
     */
    public static RetryPolicy exponential(Duration first, Duration max) {
        Checks.duration("first retry delay", first, Duration.ofMillis(1), Duration.ofDays(1));
        Checks.duration("longest retry delay", max, first, Duration.ofDays(1));
        return new RetryPolicy(first, max, 5, Duration.ZERO);
    }

    /**
     * Ends after so many attempts, the first included.
     *
     * @param most 1 to 1,000,000
     * @return a new policy
     * @throws SagaDefinitionException when out of range (SAGA-105)
     */
    public RetryPolicy maxAttempts(int most) {
        return new RetryPolicy(first, max, Checks.limit("attempts", most, 1, 1_000_000), elapsed);
    }

    /**
     * Ends also when so much time has passed since the step became current, measured when an attempt fails.
     *
     * @param sinceFirstAttempt 1 ms to 365 days
     * @return a new policy
     * @throws SagaDefinitionException when null or out of range (SAGA-104)
     */
    public RetryPolicy maxElapsed(Duration sinceFirstAttempt) {
        Checks.duration("time for retries", sinceFirstAttempt, Duration.ofMillis(1), Duration.ofDays(365));
        return new RetryPolicy(first, max, attempts, sinceFirstAttempt);
    }

    /**
     * Never ends by number of attempts. Before the pivot the saga's deadline and a cancel still end it.
     *
     * @return a new policy
     */
    public RetryPolicy forever() {
        return new RetryPolicy(first, max, FOREVER, elapsed);
    }

    /** {@return the most attempts, the first included; empty when for ever} */
    public OptionalInt attemptLimit() {
        return attempts == FOREVER ? OptionalInt.empty() : OptionalInt.of(attempts);
    }

    /** {@return the time after which no further attempt is made; empty when unlimited} */
    public Optional<Duration> timeLimit() {
        return elapsed.isZero() ? Optional.empty() : Optional.of(elapsed);
    }

    /** {@return whether the delay is always the same} */
    public boolean isFixed() {
        return first.equals(max);
    }

    /**
     * The cap of the delay after so many failed attempts: jitter is drawn below it, unless the delay is fixed.
     *
     * @param failedAttempts 1 or more
     * @return zero to the longest delay
     */
    public Duration delayCap(int failedAttempts) {
        int doublings = Math.min(Math.max(failedAttempts - 1, 0), 40);
        long capped = Math.min(max.toMillis(), doublings >= 32 ? Long.MAX_VALUE : first.toMillis() << doublings);
        return Duration.ofMillis(capped);
    }

    @Override
    public String toString() {
        return (isFixed() ? "every " + first : first + " doubling to " + max)
                + (attempts == FOREVER ? ", for ever" : ", " + attempts + " attempts")
                + (elapsed.isZero() ? "" : ", within " + elapsed);
    }
}
