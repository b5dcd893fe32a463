package io.holdfast.saga.jdbc;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.Compensation;
import io.holdfast.saga.RetriableStep;
import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.StepContext;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Statements that commit together with the saga's progress, so that they take effect exactly once and their outcome is never in
 * doubt. As it is it fits as the pivot and after it; {@link #compensatedBy} or {@link #noCompensation} makes it fit before the
 * pivot. Its action may run several times, each time in a transaction of its own, of which one commits.
 *
 * @param <D> the class of its data
 * @param <R> the class of its result
 */
public interface LocalStep<D, R> extends RetriableStep<D> {
    @Override
    LocalStep<D, R> retry(RetryPolicy policy);

    @Override
    LocalStep<D, R> timeout(Duration perAttempt);

    @Override
    LocalStep<D, R> when(Predicate<? super StepContext<D>> condition);

    @Override
    <P> LocalStep<P, R> dataFrom(Function<? super P, ? extends D> part);

    /**
     * An exception that says: not to be done, and asking again will not help. Before the pivot the saga turns back at once.
     * Subclasses count; may be called several times.
     *
     * @param type never null
     * @return a new step
     * @throws SagaDefinitionException when null (SAGA-106)
     */
    LocalStep<D, R> rejectedOn(Class<? extends Exception> type);

    /**
     * Undone in a transaction that also records that it is undone. Runs only when the action has committed; it is given the
     * action's result, null for steps without one.
     *
     * @param compensation never null
     * @return a new step
     * @throws SagaDefinitionException when null (SAGA-106)
     */
    CompensatableStep<D> compensatedBy(Compensation<? super LocalContext<D>, R> compensation);

    /**
     * Nothing to undo.
     *
     * @param why for the reader of the definition; not blank
     * @return a new step
     * @throws SagaDefinitionException when null (SAGA-106) or blank (SAGA-105)
     */
    CompensatableStep<D> noCompensation(String why);
}
