package io.holdfast.saga.memory;

import io.holdfast.saga.Direction;
import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStoreException;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.Verdict;
import io.holdfast.saga.spi.Change;
import io.holdfast.saga.spi.ClaimOrder;
import io.holdfast.saga.spi.Claimed;
import io.holdfast.saga.spi.DefinitionRef;
import io.holdfast.saga.spi.Guard;
import io.holdfast.saga.spi.Insertion;
import io.holdfast.saga.spi.LeaseKeeper;
import io.holdfast.saga.spi.LocalAttempt;
import io.holdfast.saga.spi.Moved;
import io.holdfast.saga.spi.NewEntry;
import io.holdfast.saga.spi.NewSaga;
import io.holdfast.saga.spi.SagaStore;
import io.holdfast.saga.spi.StoreTransaction;
import io.holdfast.saga.spi.StoredEntry;
import io.holdfast.saga.spi.StoredSaga;
import io.holdfast.saga.spi.StoredSaga.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A store that forgets everything with its process. One lock makes each call a compare-and-set; the work of a local step runs
 * outside it, so that its guard, which comes last, can fail here as it can on a database.
 */
final class InMemorySagaStore implements SagaStore {
    private final VirtualClock clock;
    private final Map<UUID, MemoryRow> rows = new LinkedHashMap<>();

    InMemorySagaStore(VirtualClock clock) {
        this.clock = clock;
    }

    @Override
    public synchronized Insertion insertOwned(NewSaga saga, String owner, Duration lease) {
        return insert(rows, saga, new Lease(owner, clock.now().plus(lease), 1, 0), owner);
    }

    @Override
    public synchronized Insertion insertUnowned(NewSaga saga, String node, @Nullable StoreTransaction joined) {
        Map<UUID, MemoryRow> into = joined == null ? rows : mine(joined).inserted();
        return insert(into, saga, new Lease(null, clock.now(), 0, 0), node);
    }

    private static MemoryTransaction mine(StoreTransaction joined) {
        if (joined instanceof MemoryTransaction transaction) {
            return transaction;
        }
        throw new SagaUsageException(
                SagaError.TRANSACTION_REFUSED,
                "a transaction of " + joined.getClass().getName() + " is refused: these sagas are kept in memory");
    }

    private Insertion insert(Map<UUID, MemoryRow> into, NewSaga saga, Lease lease, String node) {
        Instant now = clock.now();
        MemoryRow found = rows.getOrDefault(saga.sagaId(), into.get(saga.sagaId()));
        if (found != null) {
            return new Insertion(Insertion.Kind.FOUND, found.read(now));
        }
        MemoryRow row = new MemoryRow(Transitions.started(saga, lease, now));
        row.append(now, lease.runSeq(), node, List.of(NewEntry.of(Kind.STARTED, saga.firstStep(), Direction.FORWARD)));
        into.put(saga.sagaId(), row);
        return new Insertion(Insertion.Kind.INSERTED, row.read(now));
    }

    @Override
    public synchronized Optional<StoredSaga> load(UUID sagaId) {
        return Optional.ofNullable(rows.get(sagaId)).map(row -> row.read(clock.now()));
    }

    @Override
    public synchronized List<StoredEntry> journal(UUID sagaId) {
        MemoryRow row = rows.get(sagaId);
        return row == null ? List.of() : row.journal();
    }

    @Override
    public synchronized Optional<Moved> move(Guard guard, String node, Change change) {
        MemoryRow row = rows.get(guard.sagaId());
        if (row == null || !row.saga().guard().equals(guard)) {
            return Optional.empty();
        }
        Instant now = clock.now();
        row.become(Transitions.moved(row.saga(), change, now));
        return Optional.of(new Moved(row.append(now, guard.runSeq(), node, change.entries()), now));
    }

    @Override
    public Optional<Applied> moveWith(Guard guard, String node, LocalAttempt attempt) throws Exception {
        MemoryTransaction transaction = new MemoryTransaction();
        attempt.onAbort(transaction::abort);
        return commit(transaction, guard, node, attempt.run(transaction));
    }

    private synchronized Optional<Applied> commit(
            MemoryTransaction transaction, Guard guard, String node, Change change) {
        if (transaction.isAborted()) {
            throw new SagaStoreException(
                    SagaError.STORE_UNAVAILABLE,
                    "the attempt was given up before its commit; nothing was changed",
                    null);
        }
        Optional<Moved> moved = move(guard, node, change);
        if (moved.isPresent()) {
            transaction.inserted().forEach(rows::putIfAbsent);
        }
        return moved.map(at -> new Applied(change, at));
    }

    @Override
    public synchronized Optional<StoredSaga> fence(UUID sagaId, String owner, long runSeq) {
        MemoryRow row = rows.get(sagaId);
        if (row == null
                || !owner.equals(row.saga().lease().owner())
                || row.saga().runSeq() != runSeq) {
            return Optional.empty();
        }
        row.become(Transitions.fenced(row.saga()));
        return Optional.of(row.read(clock.now()));
    }

    @Override
    public synchronized List<Claimed> claimDue(ClaimOrder order) {
        List<Iterator<MemoryRow>> queues = new ArrayList<>();
        order.definitions().forEach(definition -> queues.add(dueOf(definition).iterator()));
        List<Claimed> claimed = new ArrayList<>();
        // by turns, so that many sagas of one type do not keep the others waiting
        while (claimed.size() < order.atMost() && queues.stream().anyMatch(Iterator::hasNext)) {
            for (Iterator<MemoryRow> queue : queues) {
                if (claimed.size() < order.atMost() && queue.hasNext()) {
                    claimed.add(take(queue.next(), order));
                }
            }
        }
        return claimed;
    }

    private List<MemoryRow> dueOf(DefinitionRef definition) {
        return rows.values().stream()
                .filter(row -> row.saga().origin().definition().equals(definition) && isDue(row.saga()))
                .sorted(Comparator.comparing(row -> row.saga().dueAt().orElseThrow()))
                .toList();
    }

    private boolean isDue(StoredSaga saga) {
        return saga.dueAt().filter(due -> !due.isAfter(clock.now())).isPresent();
    }

    /** When a saga that is not due yet becomes due. */
    synchronized Optional<Instant> nextDueAfter(Instant now) {
        return rows.values().stream()
                .flatMap(row -> row.saga().dueAt().stream())
                .filter(due -> due.isAfter(now))
                .min(Comparator.naturalOrder());
    }

    @Override
    public synchronized Optional<Claimed> claim(UUID sagaId, ClaimOrder order) {
        return Optional.ofNullable(rows.get(sagaId))
                .filter(row -> order.definitions().contains(row.saga().origin().definition()))
                .filter(row -> isDue(row.saga()))
                .map(row -> take(row, order));
    }

    private Claimed take(MemoryRow row, ClaimOrder order) {
        Instant now = clock.now();
        Optional<String> former = row.saga().owner();
        row.become(Transitions.claimed(row.saga(), order.owner(), order.lease(), now));
        StoredSaga saga = row.read(now);
        if (former.isEmpty()) {
            return new Claimed(saga, Claimed.From.PARKED);
        }
        NewEntry entry =
                NewEntry.of(Kind.TAKEN_OVER, saga.step(), saga.direction()).note("from " + former.get());
        row.append(now, saga.runSeq(), order.owner(), List.of(entry));
        return new Claimed(saga, Claimed.From.EXPIRED);
    }

    @Override
    public synchronized Verdict cancel(UUID sagaId, String node, String reason) {
        MemoryRow row = rows.get(sagaId);
        if (row == null) {
            return Verdict.NOT_FOUND;
        }
        StoredSaga saga = row.saga();
        if (saga.state() == SagaState.RUNNING && saga.pivot() == Pivot.NONE) {
            Instant now = clock.now();
            row.become(Transitions.cancelled(saga, now));
            NewEntry entry = NewEntry.of(Kind.TURNED_BACK, saga.step(), Direction.BACKWARD)
                    .note(reason);
            row.append(now, row.saga().runSeq(), node, List.of(entry));
            return Verdict.APPLIED;
        }
        if (saga.state() == SagaState.COMPENSATING || saga.state() == SagaState.COMPENSATED) {
            return Verdict.ALREADY;
        }
        return saga.state() == SagaState.RUNNING && saga.pivot() == Pivot.BEGUN ? Verdict.UNDECIDED : Verdict.TOO_LATE;
    }

    @Override
    public synchronized void append(UUID sagaId, String node, long runSeq, NewEntry entry) {
        MemoryRow row = rows.get(sagaId);
        if (row != null) {
            row.append(clock.now(), runSeq, node, List.of(entry));
        }
    }

    @Override
    public synchronized Verdict operate(UUID sagaId, OperatorAction action, String note) {
        MemoryRow row = rows.get(sagaId);
        if (row == null) {
            return Verdict.NOT_FOUND;
        }
        StoredSaga saga = row.saga();
        if (saga.state() != SagaState.STUCK) {
            return saga.state().isFinal() ? Verdict.TOO_LATE : Verdict.ALREADY;
        }
        if (action == OperatorAction.TURN_BACK && saga.pivot() != Pivot.NONE) {
            return Verdict.TOO_LATE;
        }
        Instant now = clock.now();
        Direction way = action == OperatorAction.TURN_BACK ? Direction.BACKWARD : saga.direction();
        row.become(Transitions.retried(saga, way, now));
        NewEntry entry = NewEntry.of(Kind.OPERATOR, saga.step(), way).note(note);
        row.append(now, row.saga().runSeq(), "operator", List.of(entry));
        return Verdict.APPLIED;
    }

    @Override
    public LeaseKeeper leaseKeeper() {
        return new MemoryLeaseKeeper(this);
    }

    /** The state of the saga when its lease was renewed, empty when it is not driven under that number any more. */
    synchronized Optional<SagaState> renew(UUID sagaId, long runSeq, Duration lease) {
        MemoryRow row = rows.get(sagaId);
        if (row == null || row.saga().owner().isEmpty() || row.saga().runSeq() != runSeq) {
            return Optional.empty();
        }
        row.become(Transitions.renewed(row.saga(), lease, clock.now()));
        return Optional.of(row.saga().state());
    }

    @Override
    public String describe(Throwable error) {
        try {
            return error.toString();
        } catch (RuntimeException | Error e) {
            return error.getClass().getName(); // its own message is what fails
        }
    }
}
