package io.holdfast.saga.jdbc.internal.local;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.StepAction;
import io.holdfast.saga.StepContext;
import io.holdfast.saga.StepFunction;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.internal.Checks;
import io.holdfast.saga.internal.DefaultSteps;
import io.holdfast.saga.internal.StepSpec;
import io.holdfast.saga.jdbc.BusinessTable;
import io.holdfast.saga.jdbc.JdbcSteps;
import io.holdfast.saga.jdbc.LocalContext;
import io.holdfast.saga.jdbc.LocalStep;
import io.holdfast.saga.jdbc.counter.Counter;
import io.holdfast.saga.jdbc.edit.VersionedEdit;
import io.holdfast.saga.jdbc.internal.counter.RowCounter;
import io.holdfast.saga.jdbc.internal.edit.RowEdit;
import io.holdfast.saga.jdbc.internal.lock.RowLock;
import io.holdfast.saga.jdbc.internal.reservation.ExclusiveReservation;
import io.holdfast.saga.jdbc.internal.reservation.RowReservation;
import io.holdfast.saga.jdbc.internal.table.TableSpec;
import io.holdfast.saga.jdbc.lock.SemanticLock;
import io.holdfast.saga.jdbc.reservation.QuantityReservation;
import io.holdfast.saga.jdbc.reservation.Reservation;
import java.util.Collection;
import java.util.Collections;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Makes local steps and locks. */
public final class TransactionalSteps<D> extends DefaultSteps<D> implements JdbcSteps<D> {
    @Override
    public LocalStep<D, Void> local(String name, StepAction<? super LocalContext<D>> action) {
        Checks.name("step", name);
        Checks.notNull("action", action);
        return new Local<>(StepSpec.local(name, null, (ctx, tx) -> {
            action.run(new TransactionContext<>(ctx, tx));
            return null;
        }));
    }

    @Override
    public <R> LocalStep<D, R> local(StepKey<R> key, StepFunction<? super LocalContext<D>, ? extends R> action) {
        Checks.notNull("step key", key);
        Checks.notNull("action", action);
        return new Local<>(StepSpec.local(
                key.name(), key.resultClass(), (ctx, tx) -> action.apply(new TransactionContext<>(ctx, tx))));
    }

    @Override
    public <R> CompensatableStep<D> read(StepKey<R> key, StepFunction<? super LocalContext<D>, ? extends R> reader) {
        Checks.notNull("step key", key);
        Checks.notNull("reader", reader);
        return Remembering.step(key, reader);
    }

    @Override
    public SemanticLock<D> lock(BusinessTable table, Function<? super D, ?> id) {
        Checks.notNull("table", table);
        Checks.notNull("row id", id);
        return RowLock.on(TableSpec.of(table), data -> Collections.singletonList(id.apply(data)));
    }

    @Override
    public Counter<D> counter(BusinessTable table, String column, Function<? super D, ?> id) {
        Checks.notNull("table", table);
        Checks.notNull("row id", id);
        return RowCounter.on(TableSpec.of(table), column, id);
    }

    @Override
    public VersionedEdit<D> edit(
            BusinessTable table,
            Function<? super D, ?> id,
            Function<? super StepContext<D>, ? extends @Nullable Object> versionRead) {
        Checks.notNull("table", table);
        Checks.notNull("row id", id);
        Checks.notNull("version", versionRead);
        return RowEdit.of(TableSpec.of(table), id, versionRead);
    }

    @Override
    public QuantityReservation<D> reservation(
            BusinessTable table, Function<? super D, ?> id, ToLongFunction<? super D> quantity) {
        Checks.notNull("table", table);
        Checks.notNull("resource id", id);
        Checks.notNull("quantity", quantity);
        return RowReservation.of(TableSpec.of(table), id, quantity);
    }

    @Override
    public Reservation<D> exclusive(String resource, Function<? super D, ?> id) {
        Checks.notNull("resource id", id);
        return ExclusiveReservation.of(resource, id);
    }

    @Override
    public SemanticLock<D> lockAll(BusinessTable table, Function<? super D, ? extends Collection<?>> ids) {
        Checks.notNull("table", table);
        Checks.notNull("row ids", ids);
        return RowLock.on(TableSpec.of(table), ids);
    }
}
