package io.holdfast.saga;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * What a step knows while it runs. Valid during the call only: afterwards every method throws {@link SagaUsageException}
 * (SAGA-204). Threadsafe within the call.
 *
 * @param <D> the class of the step's data
 */
public interface StepContext<D> {
    /** {@return the data the saga was started with, or the step's part of it} */
    D data();

    /**
     * The result of a step that is done.
     *
     * @param <R> its class
     * @param key the step
     * @return never null
     * @throws SagaUsageException when that step was skipped or has not run (SAGA-203)
     * @throws PayloadException when what is stored is not of the key's class (SAGA-503)
     */
    <R> R result(StepKey<R> key);

    /**
     * The result of a step that may not have run.
     *
     * @param <R> its class
     * @param key the step
     * @return empty when that step was skipped or has not run
     * @throws PayloadException when what is stored is not of the key's class (SAGA-503)
     */
    <R> Optional<R> findResult(StepKey<R> key);

    /** {@return the saga's id} */
    UUID sagaId();

    /** {@return the key the saga was started with} */
    String businessKey();

    /** {@return a key that is the same on every attempt and node, and differs per step and direction; 40 to 64 characters} */
    String idempotencyKey();

    /**
     * The idempotency key of this step's action: what a compensation needs to undo, or look up, a call whose answer was lost.
     *
     * @return in an action the same as {@link #idempotencyKey()}
     */
    String actionKey();

    /** {@return the number of this attempt, from 1, counted over all nodes} */
    int attempt();

    /** {@return whether the saga was turned back, or the attempt given up, meanwhile; what it returns is then of no use} */
    boolean isCancelled();

    /** {@return what is left of the attempt's timeout, for the timeouts of clients; never negative} */
    Duration remaining();
}
