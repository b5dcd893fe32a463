package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.SagaState;
import io.holdfast.saga.jdbc.internal.SagaLeases.Renewed;
import io.holdfast.saga.spi.Holding;
import io.holdfast.saga.spi.LeaseKeeper;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/**
 * The heartbeat's connection: taken at the first renewal, kept until {@link #rest}, replaced at the next beat when it is broken.
 * A busy pool cannot keep it waiting.
 */
final class PostgresLeaseKeeper implements LeaseKeeper {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    private final DataSource dataSource;
    private final SagaLeases leases;
    private final HoldingExtender extender;
    private @Nullable Taken taken;

    /** When the first of the leases that were renewed last ends; from then on others may drive their sagas. */
    private @Nullable OffsetDateTime until;

    PostgresLeaseKeeper(DataSource dataSource, SagaLeases leases, HoldingExtender extender) {
        this.dataSource = dataSource;
        this.leases = leases;
        this.extender = extender;
    }

    @Override
    public Map<UUID, SagaState> renew(Map<UUID, Long> runSeqs, Duration lease) {
        if (runSeqs.isEmpty()) {
            return Map.of();
        }
        Map<UUID, Renewed> renewed = beat("renewal of leases", connection -> renewed(connection, runSeqs, lease));
        until = renewed.values().stream()
                .map(Renewed::until)
                .min(Comparator.naturalOrder())
                .orElse(null);
        Map<UUID, SagaState> states = new HashMap<>();
        renewed.forEach((saga, lasts) -> states.put(saga, lasts.state()));
        return states;
    }

    private Map<UUID, Renewed> renewed(Connection connection, Map<UUID, Long> runSeqs, Duration lease)
            throws SQLException {
        Map<UUID, Renewed> renewed = Connections.committed(connection, c -> leases.renewUnlocked(c, runSeqs, lease));
        Map<UUID, Long> missing = new HashMap<>(runSeqs);
        missing.keySet().removeAll(renewed.keySet());
        if (!missing.isEmpty()) {
            missing.keySet().retainAll(leases.stillMine(connection, missing).keySet());
        }
        if (!missing.isEmpty()) {
            renewed.putAll(afterWaiting(connection, missing, lease));
        }
        return renewed;
    }

    /** A step of this node's is being committed at this moment: usually over in no time, and never worth the other leases. */
    private Map<UUID, Renewed> afterWaiting(Connection connection, Map<UUID, Long> locked, Duration lease)
            throws SQLException {
        Duration tenth = lease.dividedBy(10);
        Duration wait = tenth.compareTo(LONGEST_WAIT) < 0 ? tenth : LONGEST_WAIT;
        connection.setAutoCommit(false);
        try {
            Jdbc.execute(
                    connection,
                    "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = "
                            + Math.max(1, wait.toMillis()));
            Map<UUID, Renewed> renewed = leases.renew(connection, locked, lease);
            connection.commit();
            return renewed;
        } catch (SQLException e) {
            if (!SqlStates.has(e, SqlStates.LOCK_NOT_AVAILABLE::equals)) {
                throw e;
            }
            connection.rollback();
            return Map.of();
        } finally {
            connection.setAutoCommit(true);
        }
    }

    @Override
    public void extend(List<Holding> holdings) {
        if (holdings.isEmpty()) {
            return;
        }
        beat("extension of locked rows", connection -> {
            extender.extend(Jooq.on(connection), holdings, until);
            return holdings;
        });
    }

    private <T> T beat(String what, Jdbc.Use<T> use) {
        boolean whole = false;
        try {
            T result = use.on(connection());
            whole = true;
            return result;
        } catch (SQLException e) {
            throw SqlStates.unavailable(what, e); // a renewal may be repeated, whatever became of it
        } catch (DataAccessException e) {
            throw SqlStates.isUnavailable(e) ? SqlStates.unavailable(what, e) : e;
        } finally {
            if (!whole) {
                rest();
            }
        }
    }

    private Connection connection() throws SQLException {
        Taken open = taken;
        if (open == null) {
            open = Taken.forStatements(dataSource);
            taken = open;
        }
        return open.connection();
    }

    @Override
    public void rest() {
        Taken open = taken;
        taken = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() {
        rest();
    }
}
