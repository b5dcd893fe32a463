package io.holdfast.saga;

import java.util.Optional;

/** How a saga ended (or got stuck), and what its steps returned. Immutable. */
public interface SagaOutcome {
    /** {@return COMPLETED, COMPENSATED or STUCK} */
    SagaState state();

    /**
     * The result of a step.
     *
     * @param <R> its class
     * @param key the step
     * @return never null
     * @throws SagaUsageException when the step was skipped, did not run, or has no result (SAGA-203)
     * @throws PayloadException when what is stored is not of the key's class (SAGA-503)
     */
    <R> R result(StepKey<R> key);

    /**
     * The result of a step that may not have run.
     *
     * @param <R> its class
     * @param key the step
     * @return empty when the step was skipped or did not run
     * @throws PayloadException when what is stored is not of the key's class (SAGA-503)
     */
    <R> Optional<R> findResult(StepKey<R> key);

    /** {@return the entry that turned the saga back or got it stuck} */
    Optional<JournalEntry> failure();
}
