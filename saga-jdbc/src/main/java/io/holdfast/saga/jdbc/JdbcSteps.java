package io.holdfast.saga.jdbc;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.StepAction;
import io.holdfast.saga.StepContext;
import io.holdfast.saga.StepFunction;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.Steps;
import io.holdfast.saga.internal.Checks;
import io.holdfast.saga.jdbc.counter.Counter;
import io.holdfast.saga.jdbc.edit.VersionedEdit;
import io.holdfast.saga.jdbc.internal.local.TransactionalSteps;
import io.holdfast.saga.jdbc.lock.SemanticLock;
import io.holdfast.saga.jdbc.reservation.QuantityReservation;
import io.holdfast.saga.jdbc.reservation.Reservation;
import java.util.Collection;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes steps that touch rows of the database that also holds the sagas, beside external ones. Stateless and threadsafe.
 *
 * @param <D> the class of the steps' data
 */
public interface JdbcSteps<D> extends Steps<D> {
    /**
     * A factory.
     *
     * @param <D> the class of the steps' data
     * @param dataClass never null
     * @return the factory
     * @throws SagaDefinitionException when null (SAGA-106)
     */
    static <D> JdbcSteps<D> of(Class<D> dataClass) {
        Checks.notNull("data class", dataClass);
        return new TransactionalSteps<>();
    }

    /**
     * Statements without a result.
     *
     * @param name the step's persisted name
     * @param action what is done, through {@link LocalContext#dsl()}
     * @return the step
     * @throws SagaDefinitionException when the name is not valid (SAGA-101) or an argument is null (SAGA-106)
     */
    LocalStep<D, Void> local(String name, StepAction<? super LocalContext<D>> action);

    /**
     * Statements with a result, which is stored with the step.
     *
     * @param <R> the class of the result
     * @param key the step's persisted name and the class of its result
     * @param action what is done, through {@link LocalContext#dsl()}
     * @return the step
     * @throws SagaDefinitionException when an argument is null (SAGA-106)
     */
    <R> LocalStep<D, R> local(StepKey<R> key, StepFunction<? super LocalContext<D>, ? extends R> action);

    /**
     * Remembers what a query reads, so that the pivot can make sure that it is still so: see
     * {@link io.holdfast.saga.ForwardBuilder#revalidating}. Then the same query runs again, and its SELECTs lock the rows they read FOR
     * SHARE; so they must be plain selects of rows (no aggregate, DISTINCT, GROUP BY, UNION or EXISTS on top, no common table expression),
     * made with {@link LocalContext#dsl()}. Rows that were not there the first time are not locked: for rules about a set of rows
     * take a {@linkplain LocalStep#serializable serializable} step. Read only what is to be the same: not a status, holder or deadline
     * that the saga itself changes meanwhile. There is nothing to undo.
     *
     * @param <R> the class of what is remembered, compared as JSON: numbers by value, null like an absent field
     * @param key the step's persisted name and the class of its result
     * @param reader what is read, through {@link LocalContext#dsl()}; never null
     * @return the step, whose result other steps can use
     * @throws SagaDefinitionException when an argument is null (SAGA-106)
     */
    <R> CompensatableStep<D> read(StepKey<R> key, StepFunction<? super LocalContext<D>, ? extends R> reader);

    /**
     * A lock on one row. Claim and release must be made from the same lock object.
     *
     * @param table where the row is
     * @param id finds the row's id in the data: a String, UUID, Long, Integer or Short; a {@link RowId} where the key has several
     *     columns; the same for the same data
     * @return the lock, to be given its statuses
     * @throws SagaDefinitionException when an argument is null (SAGA-106)
     */
    SemanticLock<D> lock(BusinessTable table, Function<? super D, ?> id);

    /**
     * A number that sagas change by deltas. The table needs a key and the column; it need not be fit for locks.
     *
     * @param table where the row is
     * @param column of type smallint, int, bigint or numeric
     * @param id finds the row's id in the data, as for {@link #lock}
     * @return the counter, to be given its limits
     * @throws SagaDefinitionException when an argument is null (SAGA-106), or the column's name is not valid (SAGA-120)
     */
    Counter<D> counter(BusinessTable table, String column, Function<? super D, ?> id);

    /**
     * An edit of a row that nobody changed since it was read. The table needs a key and its
     * {@linkplain BusinessTable#versionColumn version column}; it need not be fit for locks.
     *
     * @param table where the row is
     * @param id finds the row's id in the data, as for {@link #lock}
     * @param versionRead finds the version that was read, in the data or in the result of an earlier step: a Long, Integer or Short where the
     *     column is an integer, an Instant or OffsetDateTime where it is a timestamptz, null where it was null
     * @return the edit, to be given the columns it sets
     * @throws SagaDefinitionException when an argument is null (SAGA-106)
     */
    VersionedEdit<D> edit(
            BusinessTable table,
            Function<? super D, ?> id,
            Function<? super StepContext<D>, ? extends @Nullable Object> versionRead);

    /**
     * A share of a quantity, kept for a while. Reserve and settle must be made from the same object. The table needs a key and the capacity
     * column; it need not be fit for locks.
     *
     * @param table where the resource's row is
     * @param id finds its id in the data, as for {@link #lock}
     * @param quantity finds the number of units: 1 to 2^62, the same for the same data
     * @return the reservation, to be given its column and time to live
     * @throws SagaDefinitionException when an argument is null (SAGA-106)
     */
    QuantityReservation<D> reservation(
            BusinessTable table, Function<? super D, ?> id, ToLongFunction<? super D> quantity);

    /**
     * Something that there is only one of, kept for a while: a seat, a voucher code. It needs no row of its own. Reserve and settle must be
     * made from the same object.
     *
     * @param resource what kind of thing it is, 1 to 200 characters; ids are unique within it
     * @param id finds which one in the data: a String, UUID or Number, never empty; the same for the same data
     * @return the reservation, to be given its time to live
     * @throws SagaDefinitionException when an argument is null (SAGA-106), or the name is not valid (SAGA-125)
     */
    Reservation<D> exclusive(String resource, Function<? super D, ?> id);

    /**
     * A lock on several rows of a table, which are claimed all or none, in the order of their ids.
     *
     * @param table where the rows are
     * @param ids finds the rows' ids in the data, as for {@link #lock}: 1 to 1,000, duplicates count once
     * @return the lock, to be given its statuses
     * @throws SagaDefinitionException when an argument is null (SAGA-106)
     */
    SemanticLock<D> lockAll(BusinessTable table, Function<? super D, ? extends Collection<?>> ids);
}
