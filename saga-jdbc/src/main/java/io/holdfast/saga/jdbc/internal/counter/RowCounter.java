package io.holdfast.saga.jdbc.internal.counter;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.RetriableStep;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.internal.Checks;
import io.holdfast.saga.internal.Compensatable;
import io.holdfast.saga.internal.EngineContext;
import io.holdfast.saga.internal.Receipt;
import io.holdfast.saga.internal.Retriable;
import io.holdfast.saga.internal.StepSpec;
import io.holdfast.saga.internal.StepSpec.ByKey;
import io.holdfast.saga.internal.StepSpec.Role;
import io.holdfast.saga.internal.StepSpec.Use;
import io.holdfast.saga.internal.UndoBody.Known;
import io.holdfast.saga.jdbc.counter.Counter;
import io.holdfast.saga.jdbc.internal.local.TransactionContext;
import io.holdfast.saga.jdbc.internal.table.NumberColumn;
import io.holdfast.saga.jdbc.internal.table.OneRow;
import io.holdfast.saga.jdbc.internal.table.TableSpec;
import io.holdfast.saga.spi.StoreTransaction;
import java.math.BigDecimal;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A counter in the row that a function finds in the data. */
public final class RowCounter<D> implements Counter<D> {
    private final NumberColumn column;
    private final Function<? super D, ?> id;
    private final @Nullable BigDecimal floor;
    private final @Nullable BigDecimal ceiling;

    private RowCounter(
            NumberColumn column, Function<? super D, ?> id, @Nullable BigDecimal floor, @Nullable BigDecimal ceiling) {
        this.column = column;
        this.id = id;
        this.floor = floor;
        this.ceiling = ceiling;
        if (floor != null && ceiling != null && floor.compareTo(ceiling) > 0) {
            throw new SagaDefinitionException(
                    SagaError.INVALID_COUNTER,
                    "counter on " + column.table() + " is refused: its floor of " + floor.toPlainString()
                            + " is above its ceiling of " + ceiling.toPlainString());
        }
    }

    /** A counter without limits. */
    public static <D> RowCounter<D> on(TableSpec table, String column, Function<? super D, ?> id) {
        return new RowCounter<>(new NumberColumn("counted", table, column), id, null, null);
    }

    @Override
    public Counter<D> floor(BigDecimal least) {
        return new RowCounter<>(column, id, Checks.notNull("floor", least), ceiling);
    }

    @Override
    public Counter<D> ceiling(BigDecimal most) {
        return new RowCounter<>(column, id, floor, Checks.notNull("ceiling", most));
    }

    @Override
    public CompensatableStep<D> subtract(String step, Function<? super D, BigDecimal> amount) {
        return new Compensatable<>(
                step(step, amount, BigDecimal::negate, floor).undoing(new ByKey<>(RowCounter::undo)));
    }

    @Override
    public RetriableStep<D> add(String step, Function<? super D, BigDecimal> amount) {
        return new Retriable<>(step(step, amount, added -> added, ceiling));
    }

    private StepSpec<D> step(
            String step,
            Function<? super D, BigDecimal> amount,
            Function<BigDecimal, BigDecimal> sign,
            @Nullable BigDecimal limit) {
        Checks.notNull("amount", amount);
        return StepSpec.<D>local(Checks.name("step", step), Receipt.class, (ctx, tx) -> {
                    BigDecimal delta = sign.apply(checked(step, amount.apply(ctx.data())));
                    return change(ctx, tx, delta, limit);
                })
                .rejectedOn(SagaUsageException.class) // an amount that is none stays one
                .offline((ctx, none) -> {
                    checked(step, amount.apply(ctx.data()));
                    return new Receipt("{}");
                })
                .uses(new Use(column, Role.TOUCH));
    }

    private static BigDecimal checked(String step, @Nullable BigDecimal amount) {
        if (amount == null || amount.signum() < 0) {
            throw new SagaUsageException(
                    SagaError.VALUE_INVALID,
                    "the amount of step \"" + step + "\" is " + (amount == null ? "null" : amount.toPlainString())
                            + "; it must be zero or more, the step says which way it goes");
        }
        return amount;
    }

    private Receipt change(
            EngineContext<D> ctx,
            @Nullable StoreTransaction transaction,
            BigDecimal delta,
            @Nullable BigDecimal limit) {
        OneRow row = OneRow.of(column.spec(), id.apply(ctx.data()));
        Delta change = new Delta(row, column.name(), delta, limit);
        BigDecimal before = change.apply(TransactionContext.open(transaction).dsl());
        return new CounterReceipt(row, column.name(), delta, before).receipt();
    }

    private static void undo(EngineContext<?> ctx, @Nullable StoreTransaction transaction, Known known) {
        if (transaction == null || known.result() == null) {
            return;
        }
        CounterReceipt done = CounterReceipt.read((Receipt) known.result());
        new Delta(done.row(), done.column(), done.delta().negate(), null)
                .apply(TransactionContext.open(transaction).dsl());
    }
}
