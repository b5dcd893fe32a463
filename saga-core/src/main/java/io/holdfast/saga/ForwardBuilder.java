package io.holdfast.saga;

/**
 * Puts steps in order, after the pivot. Mutable, not threadsafe.
 *
 * @param <D> the class of the saga's data
 */
public interface ForwardBuilder<D> {
    /**
     * Adds a step that is repeated until it is done.
     *
     * @param step never null
     * @return this
     * @throws SagaDefinitionException when the name is taken (SAGA-110) or the step was not made by the library (SAGA-112)
     */
    ForwardBuilder<D> then(RetriableStep<D> step);

    /**
     * The definition.
     *
     * @return the checked definition
     * @throws SagaDefinitionException when a rule is broken; the message names it
     */
    SagaDefinition<D> build();
}
