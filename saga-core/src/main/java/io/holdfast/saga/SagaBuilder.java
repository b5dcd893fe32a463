package io.holdfast.saga;

import java.time.Duration;

/**
 * Puts steps in order, before the pivot. Mutable, not threadsafe.
 *
 * @param <D> the class of the saga's data
 */
public interface SagaBuilder<D> {
    /**
     * After this time since its start a saga turns back, unless its pivot has begun. Default: none.
     *
     * @param untilItTurnsBack 10 ms to 365 days
     * @return this
     * @throws SagaDefinitionException when null or out of range (SAGA-104)
     */
    SagaBuilder<D> deadline(Duration untilItTurnsBack);

    /**
     * Adds a step that can be undone.
     *
     * @param step never null
     * @return this
     * @throws SagaDefinitionException when the name is taken (SAGA-110) or the step was not made by the library (SAGA-112)
     */
    SagaBuilder<D> step(CompensatableStep<D> step);

    /**
     * Adds the point of no return: until it is done the saga turns back, after it only forward.
     *
     * @param step never null
     * @return what takes the steps after the pivot
     * @throws SagaDefinitionException as {@link #step}
     */
    ForwardBuilder<D> pivot(RetriableStep<D> step);

    /**
     * A definition without a pivot: every step can be undone until the last one is done.
     *
     * @return the checked definition
     * @throws SagaDefinitionException when a rule is broken; the message names it
     */
    SagaDefinition<D> build();
}
