package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.Verdict;
import io.holdfast.saga.spi.Change;
import io.holdfast.saga.spi.ClaimOrder;
import io.holdfast.saga.spi.Claimed;
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
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Sagas in two tables of PostgreSQL. Each method is one statement that commits by itself, one round trip, unless it says
 * otherwise; each statement names one saga, but the claim and the renewal. Threadsafe.
 */
public final class PostgresSagaStore implements SagaStore {
    private final Connections connections;
    private final DataSource heartbeats;
    private final HoldingExtender extender;
    private final SagaReads reads;
    private final SagaStarts starts;
    private final SagaMoves moves;
    private final SagaClaims claims;
    private final ClaimRounds rounds;
    private final SagaRequests requests;
    private final SagaLeases leases;
    private final LocalTransactions locals;

    /**
     * A store with the default limits for local steps.
     *
     * @param dataSource never one that hands out the connection of a transaction in progress
     * @param heartbeats where each heartbeat takes its connection; null: from the same
     * @param tables where the sagas are
     * @param extender extends the rows that sagas hold
     */
    public PostgresSagaStore(
            DataSource dataSource, @Nullable DataSource heartbeats, SagaTables tables, HoldingExtender extender) {
        this(dataSource, heartbeats, tables, extender, LocalLimits.DEFAULT);
    }

    /** The same with other limits for local steps. */
    public PostgresSagaStore(
            DataSource dataSource,
            @Nullable DataSource heartbeats,
            SagaTables tables,
            HoldingExtender extender,
            LocalLimits limits) {
        this.connections = new Connections(dataSource);
        this.heartbeats = heartbeats == null ? dataSource : heartbeats;
        this.extender = extender;
        this.reads = new SagaReads(tables);
        this.starts = new SagaStarts(connections, new SagaInserts(tables), reads);
        this.moves = new SagaMoves(tables);
        this.claims = new SagaClaims(tables);
        this.rounds = new ClaimRounds(connections, claims);
        this.requests = new SagaRequests(tables);
        this.leases = new SagaLeases(tables);
        this.locals = new LocalTransactions(dataSource, tables, moves, limits);
    }

    /** A second statement where the saga is there already. */
    @Override
    public Insertion insertOwned(NewSaga saga, String owner, Duration lease) {
        return starts.start(saga, owner, lease, owner);
    }

    /** A second statement where the saga is there already. */
    @Override
    public Insertion insertUnowned(NewSaga saga, String node, @Nullable StoreTransaction joined) {
        return joined == null ? starts.start(saga, null, Duration.ZERO, node) : starts.startIn(joined, saga, node);
    }

    @Override
    public Optional<StoredSaga> load(UUID sagaId) {
        return connections.read("reading saga " + sagaId, c -> reads.load(c, sagaId));
    }

    @Override
    public List<StoredEntry> journal(UUID sagaId) {
        return connections.read("reading the journal of saga " + sagaId, c -> reads.journal(c, sagaId));
    }

    @Override
    public Optional<Moved> move(Guard guard, String node, Change change) {
        return connections.change("move of saga " + guard.sagaId(), c -> moves.move(c, guard, node, change));
    }

    /** Three round trips and those of the work. */
    @Override
    public Optional<Applied> moveWith(Guard guard, String node, LocalAttempt attempt) throws Exception {
        return locals.run(guard, node, attempt);
    }

    @Override
    public Optional<StoredSaga> fence(UUID sagaId, String owner, long runSeq) {
        return connections.change("fence of saga " + sagaId, c -> requests.fence(c, sagaId, owner, runSeq));
    }

    /** One more statement per round, where one definition has much due and others little. */
    @Override
    public List<Claimed> claimDue(ClaimOrder order) {
        return rounds.claimDue(order);
    }

    @Override
    public Optional<Claimed> claim(UUID sagaId, ClaimOrder order) {
        return connections.change("claim of saga " + sagaId, c -> claims.claim(c, sagaId, order));
    }

    /** A second statement where it is not applied. */
    @Override
    public Verdict cancel(UUID sagaId, String node, String reason) {
        return verdict(sagaId, c -> requests.cancel(c, sagaId, node, reason), saga -> SagaRequests.refusedCancel(saga));
    }

    /** A second statement where it is not applied. */
    @Override
    public Verdict operate(UUID sagaId, OperatorAction action, String note) {
        return verdict(
                sagaId,
                c -> requests.operate(c, sagaId, action, note),
                saga -> SagaRequests.refusedAction(saga, action));
    }

    private Verdict verdict(UUID sagaId, Jdbc.Use<Boolean> request, Function<StoredSaga, Optional<Verdict>> refusal) {
        while (true) {
            if (connections.change("request to saga " + sagaId, request)) {
                return Verdict.APPLIED;
            }
            Optional<StoredSaga> saga = load(sagaId);
            if (saga.isEmpty()) {
                return Verdict.NOT_FOUND;
            }
            Optional<Verdict> refused = refusal.apply(saga.get());
            if (refused.isPresent()) {
                return refused.get();
            }
            // it came to where the request fits between the two statements
        }
    }

    @Override
    public void append(UUID sagaId, String node, long runSeq, NewEntry entry) {
        connections.change("entry of saga " + sagaId, c -> requests.append(c, sagaId, node, runSeq, entry));
    }

    @Override
    public LeaseKeeper leaseKeeper() {
        return new PostgresLeaseKeeper(heartbeats, leases, extender);
    }

    @Override
    public String describe(Throwable error) {
        return ErrorText.of(error);
    }
}
