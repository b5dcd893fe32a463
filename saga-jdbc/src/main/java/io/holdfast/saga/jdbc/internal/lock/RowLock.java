package io.holdfast.saga.jdbc.internal.lock;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.LockLostException;
import io.holdfast.saga.RetriableStep;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.StepKey;
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
import io.holdfast.saga.jdbc.internal.JdbcTransaction;
import io.holdfast.saga.jdbc.internal.local.TransactionContext;
import io.holdfast.saga.jdbc.internal.lock.LockReceipt.How;
import io.holdfast.saga.jdbc.internal.lock.LockReceipt.Row;
import io.holdfast.saga.jdbc.internal.table.RowIds;
import io.holdfast.saga.jdbc.internal.table.TableSpec;
import io.holdfast.saga.jdbc.internal.table.ViewDdl;
import io.holdfast.saga.jdbc.lock.SemanticLock;
import io.holdfast.saga.jdbc.lock.WhenLost;
import io.holdfast.saga.spi.StoreTransaction;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jooq.Condition;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** A lock on the rows that a function finds in the data. */
public final class RowLock<D> implements SemanticLock<D> {
    private final LockSpec lock;
    private final Function<? super D, ? extends Collection<?>> ids;

    private RowLock(LockSpec lock, Function<? super D, ? extends Collection<?>> ids) {
        this.lock = lock;
        this.ids = ids;
    }

    /** A lock with the default statuses. */
    public static <D> RowLock<D> on(TableSpec table, Function<? super D, ? extends Collection<?>> ids) {
        return new RowLock<>(LockSpec.on(table), ids);
    }

    private RowLock<D> with(LockSpec other) {
        return new RowLock<>(other, ids);
    }

    @Override
    public SemanticLock<D> from(String... statuses) {
        return with(lock.from(statuses));
    }

    @Override
    public SemanticLock<D> pending(String status) {
        return with(lock.pending(status));
    }

    @Override
    public SemanticLock<D> deadline(Duration afterClaim) {
        return with(lock.lockFor(afterClaim));
    }

    @Override
    public SemanticLock<D> waiting(Duration atMost) {
        return with(lock.waiting(atMost));
    }

    @Override
    public SemanticLock<D> takeOverExpired() {
        return with(lock.takingOver());
    }

    @Override
    public SemanticLock<D> orphanedAs(String status) {
        return with(lock.orphanedAs(status));
    }

    @Override
    public SemanticLock<D> whenLost(WhenLost policy) {
        return with(lock.whenLost(policy));
    }

    private InFlight readers() {
        return new InFlight(lock.table(), lock.statuses().pending());
    }

    @Override
    public Condition settled() {
        return readers().settled();
    }

    @Override
    public Condition settledAs(String alias) {
        return readers().settledAs(alias);
    }

    @Override
    public Field<Boolean> inFlight() {
        return readers().inFlight();
    }

    @Override
    public String settledView(String... view) {
        InFlight readers = readers();
        return ViewDdl.of(TableSpec.of(view), lock.table(), List.of(), readers.sql(readers.settled()));
    }

    @Override
    public String flaggedView(String... view) {
        InFlight readers = readers();
        String flag = "NOT (" + readers.sql(readers.settled()) + ") AS in_flight";
        return ViewDdl.of(TableSpec.of(view), lock.table(), List.of(flag), null);
    }

    @Override
    public CompensatableStep<D> claim(String step) {
        lock.token().claims().add(Checks.name("step", step));
        StepSpec<D> claim = StepSpec.<D>local(step, Receipt.class, this::take)
                .rejectedOn(SagaUsageException.class) // an id that is none stays one
                .offline((ctx, none) -> pretend(ctx))
                .uses(new Use(new LockResource(lock), Role.CLAIM))
                .undoing(new ByKey<>(RowLock::restore));
        return new Compensatable<>(claim);
    }

    @Override
    public RetriableStep<D> release(String step, String status) {
        String last = lock.released(status);
        return release(step, row -> last);
    }

    @Override
    public RetriableStep<D> releaseAsBefore(String step) {
        return release(step, Row::former);
    }

    private RetriableStep<D> release(String step, Function<Row, @Nullable String> status) {
        Checks.name("step", step);
        StepSpec<D> release = StepSpec.<D>local(step, Receipt.class, (ctx, tx) -> {
                    give(ctx, TransactionContext.open(tx), status);
                    return released(ctx);
                })
                .offline((ctx, none) -> released(ctx))
                .uses(new Use(new LockResource(lock), Role.RELEASE));
        return new Retriable<>(release);
    }

    private Receipt take(EngineContext<D> ctx, @Nullable StoreTransaction transaction) {
        LockRequest request = LockRequest.of(lock, ctx, RowIds.of(lock.table(), ids.apply(ctx.data())));
        return RowClaim.take(TransactionContext.open(transaction), lock, request)
                .receipt();
    }

    /** Without a database a claim succeeds. */
    private Receipt pretend(EngineContext<D> ctx) {
        List<String> from = lock.statuses().from();
        String former = from.isEmpty() ? null : from.get(0);
        List<Row> rows = RowIds.of(lock.table(), ids.apply(ctx.data())).stream()
                .map(id -> new Row(id, former, How.ACQUIRED))
                .toList();
        return new LockReceipt(lock.table(), lock.statuses().pending(), LockRequest.DEFAULT, rows).receipt();
    }

    private static void restore(EngineContext<?> ctx, @Nullable StoreTransaction transaction, Known known) {
        if (transaction == null || known.result() == null) {
            return;
        }
        LockReceipt receipt = LockReceipt.read(((Receipt) known.result()).json());
        HeldRows rows = rows(ctx, TransactionContext.open(transaction), receipt);
        List<List<String>> lost = rows.giveBack(receipt.acquired(), Row::former);
        if (!lost.isEmpty()) {
            ctx.note(rows.print(lost) + " not restored: the saga does not hold it any more");
        }
    }

    private void give(EngineContext<D> ctx, JdbcTransaction transaction, Function<Row, @Nullable String> status) {
        List<LockReceipt> receipts = receipts(ctx);
        if (receipts.isEmpty()) {
            throw new LockLostException(
                    SagaError.LOCK_LOST,
                    "no claim of this lock on " + lock.table().quoted()
                            + " was done (skipped by its condition?), so there is nothing to release");
        }
        for (LockReceipt receipt : receipts) {
            HeldRows rows = rows(ctx, transaction, receipt);
            List<List<String>> lost = rows.giveBack(receipt.acquired(), status);
            if (!lost.isEmpty() && lock.whenLost() == WhenLost.REFUSE) {
                throw rows.lost(lost, "it cannot be released");
            }
            if (!lost.isEmpty()) {
                ctx.note(rows.print(lost) + " not released: the saga does not hold it any more");
            }
        }
    }

    /** Of this lock's claims. A step of one of these names may be something else in a definition that shares the lock object. */
    private List<LockReceipt> receipts(EngineContext<D> ctx) {
        return lock.token().claims().stream()
                .sorted()
                .map(claim -> ctx.findResult(StepKey.of(claim, Receipt.class)))
                .flatMap(Optional::stream)
                .flatMap(receipt -> LockReceipt.find(receipt.json()).stream())
                .filter(receipt -> receipt.table().quoted().equals(lock.table().quoted()))
                .toList();
    }

    /** Which claims are over, for who reads the journal in SQL: the view saga_locks. */
    private Receipt released(EngineContext<D> ctx) {
        return LockReceipt.released(lock.token().claims().stream()
                .filter(claim ->
                        ctx.findResult(StepKey.of(claim, Receipt.class)).isPresent())
                .sorted()
                .toList());
    }

    private static HeldRows rows(EngineContext<?> ctx, JdbcTransaction transaction, LockReceipt receipt) {
        return new HeldRows(transaction.dsl(), receipt.table(), ctx.sagaId());
    }
}
