package io.holdfast.saga.jdbc.internal.edit;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.StepContext;
import io.holdfast.saga.internal.Checks;
import io.holdfast.saga.internal.Compensatable;
import io.holdfast.saga.internal.EngineContext;
import io.holdfast.saga.internal.Receipt;
import io.holdfast.saga.internal.StepSpec;
import io.holdfast.saga.internal.StepSpec.ByKey;
import io.holdfast.saga.internal.StepSpec.Role;
import io.holdfast.saga.internal.StepSpec.Use;
import io.holdfast.saga.internal.UndoBody.Known;
import io.holdfast.saga.jdbc.edit.EditConflictException;
import io.holdfast.saga.jdbc.edit.EditContext;
import io.holdfast.saga.jdbc.edit.VersionedEdit;
import io.holdfast.saga.jdbc.edit.WhenChanged;
import io.holdfast.saga.jdbc.internal.edit.EditSql.Seen;
import io.holdfast.saga.jdbc.internal.local.TransactionContext;
import io.holdfast.saga.jdbc.internal.table.OneRow;
import io.holdfast.saga.jdbc.internal.table.TableSpec;
import io.holdfast.saga.spi.StoreTransaction;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An edit of the row that a function finds in the data. */
public final class RowEdit<D> implements VersionedEdit<D> {
    private final EditedTable table;
    private final Target<D> target;
    private final Map<String, Function<? super EditContext<D>, ? extends @Nullable Object>> values;
    private final WhenChanged policy;

    /** Which row, and as which version it was read. */
    private record Target<D>(
            Function<? super D, ?> id, Function<? super StepContext<D>, ? extends @Nullable Object> versionRead) {}

    private RowEdit(
            EditedTable table,
            Target<D> target,
            Map<String, Function<? super EditContext<D>, ? extends @Nullable Object>> values,
            WhenChanged policy) {
        this.table = table;
        this.target = target;
        this.values = values;
        this.policy = policy;
    }

    /** An edit that sets nothing yet. */
    public static <D> RowEdit<D> of(
            TableSpec table,
            Function<? super D, ?> id,
            Function<? super StepContext<D>, ? extends @Nullable Object> versionRead) {
        return new RowEdit<>(
                new EditedTable(table, List.of()), new Target<>(id, versionRead), Map.of(), WhenChanged.FAIL);
    }

    @Override
    public VersionedEdit<D> set(String column, Function<? super EditContext<D>, ? extends @Nullable Object> value) {
        Map<String, Function<? super EditContext<D>, ? extends @Nullable Object>> more = new LinkedHashMap<>(values);
        more.put(column, Checks.notNull("value", value));
        return new RowEdit<>(table.with(column), target, more, policy);
    }

    @Override
    public VersionedEdit<D> whenChanged(WhenChanged other) {
        return new RowEdit<>(table, target, values, Checks.notNull("policy", other));
    }

    @Override
    public CompensatableStep<D> apply(String step) {
        Checks.name("step", step);
        table.requireColumns();
        StepSpec<D> edit = StepSpec.<D>local(step, Receipt.class, this::edit)
                .rejectedOn(SagaUsageException.class) // a value that is none stays one
                .offline((ctx, none) -> new Receipt("{}"))
                .uses(new Use(table, Role.TOUCH))
                .undoing(new ByKey<>(RowEdit::undo));
        return new Compensatable<>(edit);
    }

    private Receipt edit(EngineContext<D> ctx, @Nullable StoreTransaction transaction) {
        OneRow row = OneRow.of(table.spec(), target.id.apply(ctx.data()));
        EditSql sql = new EditSql(TransactionContext.open(transaction).dsl(), row);
        String expected = version(target.versionRead.apply(ctx));
        Seen seen = sql.lock(expected, table.columns());
        if (!seen.asExpected() && policy == WhenChanged.FAIL) {
            throw new EditConflictException(
                    row + " has changed since it was read: its version was " + expected + " and is " + seen.version()
                            + ". Nothing was changed",
                    expected,
                    seen.version());
        }
        String after = sql.write(seen, wanted(new LockedRow<>(ctx, seen.values())));
        return new EditReceipt(row, after, seen.values()).receipt();
    }

    private Map<String, @Nullable String> wanted(EditContext<D> ctx) {
        Map<String, @Nullable String> wanted = new LinkedHashMap<>();
        for (Map.Entry<String, Function<? super EditContext<D>, ? extends @Nullable Object>> one : values.entrySet()) {
            Object value = one.getValue().apply(ctx);
            wanted.put(one.getKey(), Values.text("value of column \"" + one.getKey() + "\"", value));
        }
        return wanted;
    }

    private static @Nullable String version(@Nullable Object read) {
        boolean known = read == null
                || read instanceof Long
                || read instanceof Integer
                || read instanceof Short
                || read instanceof Instant
                || read instanceof OffsetDateTime;
        if (!known || isFinerThanStored(read)) {
            throw new SagaUsageException(
                    SagaError.VALUE_INVALID,
                    "version " + read + " of "
                            + (read == null ? "null" : read.getClass().getName())
                            + " is none; give the Long, Integer, Short, Instant or OffsetDateTime that was read"
                            + " (the database keeps microseconds), or null where it was null");
        }
        return Values.text("version", read);
    }

    private static boolean isFinerThanStored(@Nullable Object read) {
        return (read instanceof Instant instant
                        && !instant.truncatedTo(ChronoUnit.MICROS).equals(instant))
                || (read instanceof OffsetDateTime moment
                        && !moment.truncatedTo(ChronoUnit.MICROS).equals(moment));
    }

    /** Only over its own version: a newer change of somebody else stays, and a person decides. */
    private static void undo(EngineContext<?> ctx, @Nullable StoreTransaction transaction, Known known) {
        if (transaction == null || known.result() == null) {
            return;
        }
        EditReceipt done = EditReceipt.read((Receipt) known.result());
        EditSql sql = new EditSql(TransactionContext.open(transaction).dsl(), done.row());
        Seen seen = sql.lock(done.version(), List.of());
        if (!seen.asExpected()) {
            throw new EditConflictException(
                    done.row() + " was changed after the saga's edit: it gave it version " + done.version()
                            + ", and now it is " + seen.version() + ". The former values of "
                            + done.former().keySet()
                            + " are in the journal; a person must decide which of them to restore",
                    done.version(),
                    seen.version());
        }
        sql.write(seen, done.former());
    }
}
