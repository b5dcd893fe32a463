package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.spi.Change;
import io.holdfast.saga.spi.Guard;
import io.holdfast.saga.spi.LocalAttempt;
import io.holdfast.saga.spi.Moved;
import io.holdfast.saga.spi.SagaStore.Applied;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Local steps (protocol §3): 1. one message that opens the transaction and bounds it; 2. the user's statements; 3. the guarded
 * move with its entries, last, so that of two nodes in one step one commits and the other keeps nothing; 4. COMMIT.
 */
final class LocalTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(LocalTransactions.class);

    private static final long LONGEST_PAUSE_MILLIS = 100;

    private final DataSource dataSource;
    private final SagaTables tables;
    private final SagaMoves moves;
    private final LocalLimits limits;

    LocalTransactions(DataSource dataSource, SagaTables tables, SagaMoves moves, LocalLimits limits) {
        this.dataSource = dataSource;
        this.tables = tables;
        this.moves = moves;
        this.limits = limits;
    }

    Optional<Applied> run(Guard guard, String node, LocalAttempt attempt) throws Exception {
        AbortSwitch abort = new AbortSwitch();
        attempt.onAbort(abort);
        for (int run = 1; ; run++) {
            try {
                return once(guard, node, attempt, abort);
            } catch (Exception e) {
                if (run >= attempt.isolation().runs() || !SqlStates.isRerun(e)) {
                    throw e;
                }
                LOG.debug(
                        "the database rolled back step {} of saga {}, it is run again",
                        guard.step(),
                        guard.sagaId(),
                        e);
                if (attempt.isolation().isStrict()) {
                    stepAside(run);
                }
            }
        }
    }

    /** With no connection held. Who runs again at once meets the same others again; how long is left to chance for the same reason. */
    private static void stepAside(int runs) throws InterruptedException {
        long most = Math.min(LONGEST_PAUSE_MILLIS, 1L << Math.min(runs, 10));
        TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(most + 1));
    }

    private Optional<Applied> once(Guard guard, String node, LocalAttempt attempt, AbortSwitch abort) throws Exception {
        try (Taken taken = take(guard)) {
            try {
                if (!abort.watch(taken.connection())) {
                    throw SqlStates.unavailable(what(guard) + ", which was given up", null);
                }
                return inTransaction(taken.connection(), guard, node, attempt);
            } finally {
                abort.release(); // before it goes back to the pool
            }
        }
    }

    private Taken take(Guard guard) {
        try {
            return Taken.forTransaction(dataSource);
        } catch (SQLException e) {
            throw SqlStates.unavailable(what(guard), e);
        }
    }

    private Optional<Applied> inTransaction(Connection connection, Guard guard, String node, LocalAttempt attempt)
            throws Exception {
        Change change;
        Optional<Moved> moved;
        try {
            Jdbc.execute(connection, limits.begin(attempt.isolation().level()));
            change = work(connection, attempt);
            moved = move(connection, guard, node, change);
        } catch (Exception e) {
            throw isGone(connection, e) ? SqlStates.unavailable(what(guard), e) : e;
        }
        if (moved.isEmpty()) {
            return Optional.empty(); // rolled back as the connection is given back
        }
        commit(connection, guard);
        return Optional.of(new Applied(change, moved.get()));
    }

    private Change work(Connection connection, LocalAttempt attempt) throws Exception {
        StepConnection step = new StepConnection(connection);
        try {
            Change change = attempt.run(new JdbcTransaction(Jooq.in(step), tables));
            step.requireOpenTransaction();
            return change;
        } finally {
            step.end();
        }
    }

    private Optional<Moved> move(Connection connection, Guard guard, String node, Change change) throws SQLException {
        try {
            return moves.move(connection, guard, node, change);
        } catch (SQLException e) {
            throw SqlStates.original(e);
        }
    }

    private static void commit(Connection connection, Guard guard) throws SQLException {
        try {
            connection.commit();
        } catch (SQLException e) {
            if (SqlStates.isDoubtful(e)) {
                throw Connections.unknown("commit of " + what(guard), e);
            }
            throw e;
        }
    }

    /**
     * Whether it is the step's own database that is away: another one that the user's code asks may be as well, which is an
     * ordinary failure of the step.
     */
    private static boolean isGone(Connection connection, Exception e) {
        if (!SqlStates.isUnavailable(e)) {
            return false;
        }
        if (SqlStates.has(e, SqlStates.READ_ONLY::equals)) {
            return true;
        }
        try {
            return !connection.isValid(1);
        } catch (SQLException broken) {
            return true;
        }
    }

    private static String what(Guard guard) {
        return "step \"" + guard.step() + "\" of saga " + guard.sagaId();
    }
}
