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
     * Has what these steps remembered read again, locking the rows FOR SHARE, in the transaction that passes the pivot; where the
     * pivot is external, in the one that begins it and ends right before its call. Where something differs the pivot is not begun,
     * and the saga turns back with {@link RevalidationException}. A step that was skipped by its condition is left out.
     *
     * @param reads keys of read steps before the pivot, none null; those of several calls count together
     * @return this
     * @throws SagaDefinitionException when null (SAGA-106)
     */
    ForwardBuilder<D> revalidating(StepKey<?>... reads);

    /**
     * The definition.
     *
     * @return the checked definition
     * @throws SagaDefinitionException when a rule is broken; the message names it
     */
    SagaDefinition<D> build();
}
