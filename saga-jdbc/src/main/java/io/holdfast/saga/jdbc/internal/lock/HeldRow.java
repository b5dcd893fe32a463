package io.holdfast.saga.jdbc.internal.lock;

import io.holdfast.saga.ConcurrentSagaException;
import io.holdfast.saga.ConcurrentSagaException.Advice;
import io.holdfast.saga.ConcurrentSagaException.Busy;
import io.holdfast.saga.jdbc.internal.JdbcTransaction;
import io.holdfast.saga.jdbc.internal.TurnBack;
import io.holdfast.saga.jdbc.internal.lock.LockRequest.Claimer;
import io.holdfast.saga.jdbc.internal.table.RowIds;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Whether a row that another saga holds may be taken from it. A passed deadline alone frees nothing: the holder may have work to
 * undo. So the row is free only if, besides, its holder is finished or unknown, or the lock may take over and turns the holder back.
 */
final class HeldRow {
    /** How long a claim waits for an overdue holder to be recovered; about a lease. */
    static final Duration RECOVERY = Duration.ofSeconds(30);

    private static final Comparator<Map.Entry<Instant, UUID>> AGE =
            Map.Entry.<Instant, UUID>comparingByKey().thenComparing(Map.Entry.comparingByValue());

    private final HolderSql holders;
    private final JdbcTransaction transaction;
    private final LockSpec lock;
    private final LockRequest request;

    HeldRow(JdbcTransaction transaction, LockSpec lock, LockRequest request) {
        this.holders = new HolderSql(transaction.dsl(), transaction.tables());
        this.transaction = transaction;
        this.lock = lock;
        this.request = request;
    }

    /** Returns when the row may be taken. */
    void requireFree(SeenRow row, UUID holderId) {
        Optional<Holder> holder = holders.find(holderId);
        boolean passed = row.until().passed();
        if (passed && (holder.isEmpty() || holder.get().isFinished() || turnsBack(row, holderId, holder.get()))) {
            return;
        }
        Advice advice = passed && holder.get().overdue() && request.sinceStep().compareTo(RECOVERY) < 0
                ? Advice.RECOVER_HOLDER
                : waiting(holderId, holder.orElse(null));
        throw new ConcurrentSagaException(new Busy(
                RowIds.print(lock.table(), row.id()),
                holderId,
                holder.map(Holder::print).orElse("unknown"),
                row.until().at(),
                advice));
    }

    private boolean turnsBack(SeenRow row, UUID holderId, Holder holder) {
        return lock.takeOver()
                && holder.canBeTurnedBack()
                && TurnBack.in(
                        transaction,
                        holderId,
                        request.claimer().node(),
                        "its lock on " + RowIds.print(lock.table(), row.id())
                                + " had expired and was taken over by saga "
                                + request.claimer().sagaId());
    }

    /** Who holds rows waits for younger sagas only, so nobody waits in a ring. A saga that is gone or finished waits for none. */
    private Advice waiting(UUID holderId, @Nullable Holder holder) {
        Duration bound = lock.patience().waiting();
        if (bound == null || request.sinceStep().compareTo(bound) >= 0) {
            return Advice.FAIL;
        }
        Claimer claimer = request.claimer();
        boolean safe = !claimer.holdsRows()
                || holder == null
                || holder.isFinished()
                || AGE.compare(
                                Map.entry(claimer.createdAt(), claimer.sagaId()),
                                Map.entry(holder.createdAt(), holderId))
                        < 0;
        return safe ? Advice.WAIT : Advice.FAIL;
    }
}
