package io.holdfast.saga.jdbc.internal.lock;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.LockLostException;
import io.holdfast.saga.RetriableStep;
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
import io.holdfast.saga.jdbc.internal.lock.LockReceipt.How;
import io.holdfast.saga.jdbc.internal.lock.LockReceipt.Row;
import io.holdfast.saga.jdbc.lock.SemanticLock;
import io.holdfast.saga.jdbc.lock.WhenLost;
import io.holdfast.saga.spi.StoreTransaction;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lock on the rows that a function finds in the data. */
final class RowLock<D> implements SemanticLock<D> {
    private static final Logger LOG = LoggerFactory.getLogger(SemanticLock.class);

    private final LockSpec lock;
    private final Function<? super D, ? extends Collection<?>> ids;

    RowLock(LockSpec lock, Function<? super D, ? extends Collection<?>> ids) {
        this.lock = lock;
        this.ids = ids;
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
        StepSpec<D> release = StepSpec.<D>local(step, null, (ctx, tx) -> {
                    give(ctx, TransactionContext.open(tx), status);
                    return null;
                })
                .offline((ctx, none) -> null)
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
        List<List<String>> lost =
                rows(ctx, TransactionContext.open(transaction), receipt).giveBack(receipt.acquired(), Row::former);
        lost.forEach(id -> LOG.info(
                "{} was not restored: saga {} does not hold it any more",
                RowIds.print(receipt.table(), id),
                ctx.sagaId()));
    }

    private void give(EngineContext<D> ctx, JdbcTransaction transaction, Function<Row, @Nullable String> status) {
        List<LockReceipt> receipts = lock.token().claims().stream()
                .map(claim -> ctx.findResult(StepKey.of(claim, Receipt.class)))
                .flatMap(Optional::stream)
                .map(receipt -> LockReceipt.read(receipt.json()))
                .toList();
        for (LockReceipt receipt : receipts) {
            HeldRows rows = rows(ctx, transaction, receipt);
            List<List<String>> lost = rows.giveBack(receipt.acquired(), status);
            if (!lost.isEmpty()) {
                whenLost(rows.lost(lost, "it cannot be released"));
            }
        }
    }

    private void whenLost(LockLostException lost) {
        if (lock.whenLost() == WhenLost.REFUSE) {
            throw lost;
        }
        LOG.warn("{}; the saga goes on, as its lock says", lost.getMessage());
    }

    private static HeldRows rows(EngineContext<?> ctx, JdbcTransaction transaction, LockReceipt receipt) {
        return new HeldRows(transaction.dsl(), receipt.table(), ctx.sagaId());
    }
}
