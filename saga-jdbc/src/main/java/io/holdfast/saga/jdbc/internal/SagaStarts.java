package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.spi.Insertion;
import io.holdfast.saga.spi.NewSaga;
import io.holdfast.saga.spi.StoreTransaction;
import io.holdfast.saga.spi.StoredSaga;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Start (protocol §8): insert or find. Finding is a new statement, because the one that met the conflict does not see who
 * caused it. In a transaction of the caller's nothing else is issued: no SET, no savepoint, no retry.
 */
final class SagaStarts {
    /** Whoever was in the way may be purged before it is read. */
    private static final int MOST_TRIES = 3;

    private static final CallersTransaction CALLERS = new CallersTransaction(
            "to start a saga in", "a saga of this key was started by another transaction at the same time");

    private final Connections connections;
    private final SagaInserts inserts;
    private final SagaReads reads;

    SagaStarts(Connections connections, SagaInserts inserts, SagaReads reads) {
        this.connections = connections;
        this.inserts = inserts;
        this.reads = reads;
    }

    Insertion start(NewSaga saga, @Nullable String owner, Duration lease, String node) {
        String what = "start of saga " + saga.sagaId();
        for (int i = 0; i < MOST_TRIES; i++) {
            Optional<StoredSaga> stored =
                    connections.change(what, connection -> inserts.insert(connection, saga, owner, lease, node));
            if (stored.isPresent()) {
                return new Insertion(Insertion.Kind.INSERTED, stored.get());
            }
            Optional<StoredSaga> found = connections.read(what, connection -> reads.load(connection, saga.sagaId()));
            if (found.isPresent()) {
                return new Insertion(Insertion.Kind.FOUND, found.get());
            }
        }
        throw SqlStates.unavailable(what + ": it comes and goes", null);
    }

    Insertion startIn(StoreTransaction joined, NewSaga saga, String node) {
        if (!(joined instanceof JdbcTransaction transaction)) {
            throw CALLERS.refused(
                    "it is not one of PostgreSQL: " + joined.getClass().getName(), null);
        }
        return transaction.dsl().connectionResult(connection -> {
            try {
                return startIn(connection, saga, node);
            } catch (SQLException e) {
                throw CALLERS.meaning(e);
            }
        });
    }

    private Insertion startIn(Connection connection, NewSaga saga, String node) throws SQLException {
        CALLERS.require(connection);
        Optional<StoredSaga> stored = inserts.insert(connection, saga, null, Duration.ZERO, node);
        if (stored.isPresent()) {
            return new Insertion(Insertion.Kind.INSERTED, stored.get());
        }
        return reads.load(connection, saga.sagaId())
                .map(found -> new Insertion(Insertion.Kind.FOUND, found))
                .orElseThrow(() -> CALLERS.retry(null)); // its snapshot is older than the other's commit
    }
}
