package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.SagaState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Renews leases (protocol §7). The guard is run_seq, which no other driver ever has, and that somebody drives the saga at all: a
 * parked, stuck or finished one still has the number of its last driver.
 */
final class SagaLeases {
    private static final String MINE = """
            FROM unnest(cast(? AS uuid[]), cast(? AS bigint[])) AS w (saga_id, run_seq)
            JOIN {saga} s ON s.saga_id = w.saga_id AND s.run_seq = w.run_seq AND s.owner IS NOT NULL
              AND s.state IN ('RUNNING', 'COMPENSATING')
            """;

    /** A row that is locked is skipped: one frozen transaction must not cost the node all its leases. */
    private static final String RENEW_UNLOCKED = """
            WITH mine AS MATERIALIZED (SELECT s.saga_id %s FOR NO KEY UPDATE OF s SKIP LOCKED)
            UPDATE {saga} s SET due_at = clock_timestamp() + ? * interval '1 microsecond'
            FROM mine m WHERE s.saga_id = m.saga_id AND s.owner IS NOT NULL
              AND s.state IN ('RUNNING', 'COMPENSATING')
            RETURNING s.saga_id, s.state, s.due_at""".formatted(MINE);

    private static final String RENEW = """
            UPDATE {saga} s SET due_at = clock_timestamp() + ? * interval '1 microsecond'
            FROM unnest(cast(? AS uuid[]), cast(? AS bigint[])) AS w (saga_id, run_seq)
            WHERE s.saga_id = w.saga_id AND s.run_seq = w.run_seq AND s.owner IS NOT NULL
              AND s.state IN ('RUNNING', 'COMPENSATING')
            RETURNING s.saga_id, s.state, s.due_at""";

    private static final String STILL_MINE = "SELECT s.saga_id, s.state, s.due_at " + MINE;

    /** A lease that is this node's, until a moment by the database's clock. */
    record Renewed(SagaState state, OffsetDateTime until) {}

    private final String renewUnlocked;
    private final String renew;
    private final String stillMine;

    SagaLeases(SagaTables tables) {
        renewUnlocked = tables.sql(RENEW_UNLOCKED);
        renew = tables.sql(RENEW);
        stillMine = tables.sql(STILL_MINE);
    }

    /** Those that nobody has locked. */
    Map<UUID, Renewed> renewUnlocked(Connection connection, Map<UUID, Long> runSeqs, Duration lease)
            throws SQLException {
        return states(connection, renewUnlocked, p -> bind(p, runSeqs).micros(lease));
    }

    /** Waits for rows that are locked. */
    Map<UUID, Renewed> renew(Connection connection, Map<UUID, Long> runSeqs, Duration lease) throws SQLException {
        return states(connection, renew, p -> bind(p.micros(lease), runSeqs));
    }

    /** Reads which are driven under these numbers. */
    Map<UUID, Renewed> stillMine(Connection connection, Map<UUID, Long> runSeqs) throws SQLException {
        return states(connection, stillMine, p -> bind(p, runSeqs));
    }

    private static Map<UUID, Renewed> states(Connection connection, String sql, Jdbc.Bind bind) throws SQLException {
        List<Map.Entry<UUID, Renewed>> rows = Jdbc.rows(
                connection,
                sql,
                bind,
                row -> Map.entry(
                        row.getObject(1, UUID.class),
                        new Renewed(SagaState.valueOf(row.getString(2)), row.getObject(3, OffsetDateTime.class))));
        Map<UUID, Renewed> states = new HashMap<>();
        rows.forEach(row -> states.put(row.getKey(), row.getValue()));
        return states;
    }

    private static Parameters bind(Parameters p, Map<UUID, Long> runSeqs) throws SQLException {
        UUID[] ids = runSeqs.keySet().toArray(UUID[]::new);
        Long[] numbers = new Long[ids.length];
        for (int i = 0; i < ids.length; i++) {
            numbers[i] = runSeqs.get(ids[i]);
        }
        return p.array("uuid", ids).array("int8", numbers);
    }
}
