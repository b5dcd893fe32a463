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
     * Runs at isolation level SERIALIZABLE: as if all such transactions ran one after the other. For what no lock on known rows
     * protects, such as a rule about a set of rows; it holds only among transactions that are serializable, those of other
     * applications included. The database rolls back whoever does not fit (SQLSTATE 40001); then the action runs again, see
     * {@link #reruns}. The compensation runs at the same level. Before it begins, the saga's lease is extended to outlast the step's
     * timeout, since a renewal in between would have it rolled back every time; so keep the timeout short: a node that dies meanwhile
     * is followed only when it is over.
     *
     * @return a new step
     */
    LocalStep<D, R> serializable();

    /**
     * Runs at isolation level REPEATABLE READ: all statements see the same snapshot, and a row that was changed since cannot be
     * overwritten (SQLSTATE 40001, then the action runs again). Otherwise as {@link #serializable}.
     *
     * @return a new step
     */
    LocalStep<D, R> repeatableRead();

    /**
     * How often an attempt is run at most when the database rolls it back for the sake of others (40001, 40P01), after pauses that
     * grow up to 100 ms; only when they are used up the attempt counts as failed, and the retry policy decides. Default: 10.
     *
     * @param atMost 1 to 1,000 runs per attempt
     * @return a new step
     * @throws SagaDefinitionException when out of range (SAGA-105)
     */
    LocalStep<D, R> reruns(int atMost);

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
