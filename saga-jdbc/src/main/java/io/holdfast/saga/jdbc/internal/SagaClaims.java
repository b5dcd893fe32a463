package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.spi.ClaimOrder;
import io.holdfast.saga.spi.Claimed;
import io.holdfast.saga.spi.DefinitionRef;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The claim (protocol §10). Which rows: chosen and locked in a MATERIALIZED CTE, so that no plan chooses more than the limit; by
 * states written out, because a parameter loses the index as soon as the server plans for any value; by the time when the
 * statement began, because the index cannot be searched by a clock that runs. Then all that makes a driver moves at once, where
 * the row is still due.
 */
final class SagaClaims {
    private static final String DUE_NOW =
            "s.due_at <= statement_timestamp() AND s.state IN ('RUNNING', 'COMPENSATING')";

    /** The definitions that are asked for. */
    private static final String WANTED =
            "unnest(cast(? AS text[]), cast(? AS integer[]), cast(? AS text[])) AS w (type_name, type_version, definition_hash)";

    /**
     * Definition by definition, oldest first. Without an order of its own the outer LIMIT stops the search, and locks nothing that
     * it does not return.
     */
    private static final String DUE = """
            SELECT d.saga_id, d.owner, d.due_at
            FROM %s
            CROSS JOIN LATERAL (
                SELECT s.saga_id, s.owner, s.due_at FROM {saga} s
                WHERE s.type_name = w.type_name AND s.type_version = w.type_version
                  AND s.definition_hash = w.definition_hash AND %s
                ORDER BY s.due_at
                LIMIT ?
                FOR NO KEY UPDATE OF s SKIP LOCKED) AS d
            LIMIT ?""".formatted(WANTED, DUE_NOW);

    private static final String DUE_ONE = """
            SELECT s.saga_id, s.owner, s.due_at FROM {saga} s
            WHERE s.saga_id = ? AND %s
              AND (s.type_name, s.type_version, s.definition_hash) IN (
                  SELECT w.type_name, w.type_version, w.definition_hash FROM %s)
            FOR NO KEY UPDATE OF s SKIP LOCKED""".formatted(DUE_NOW, WANTED);

    private static final String CLAIM = """
            WITH due AS MATERIALIZED (%s),
            claimed AS (
                UPDATE {saga} s
                SET owner = ?, run_seq = s.run_seq + 1, due_at = clock_timestamp() + ? * interval '1 microsecond',
                    takeovers = s.takeovers + (CASE WHEN s.owner IS NULL THEN 0 ELSE 1 END),
                    log_seq = s.log_seq + (CASE WHEN s.owner IS NULL THEN 0 ELSE 1 END),
                    changed_at = clock_timestamp()
                FROM due d
                WHERE s.saga_id = d.saga_id AND s.due_at <= clock_timestamp()
                  AND s.state IN ('RUNNING', 'COMPENSATING')
                RETURNING %s, s.log_seq, s.changed_at, d.owner AS former_owner, d.due_at AS former_due_at),
            written AS (%s
                SELECT c.saga_id, c.log_seq, c.changed_at, 'TAKEN_OVER', c.step, c.direction, 0, c.run_seq, c.owner, NULL, NULL,
                       'from ' || c.former_owner || ', whose lease ended at '
                           || to_char(c.former_due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
                FROM claimed c
                WHERE c.former_owner IS NOT NULL)
            SELECT %s, c.former_owner IS NOT NULL FROM claimed c""";

    private final String claimDue;
    private final String claimOne;

    SagaClaims(SagaTables tables) {
        claimDue = tables.sql(claim(DUE));
        claimOne = tables.sql(claim(DUE_ONE));
    }

    private static String claim(String due) {
        return CLAIM.formatted(due, SagaRowMapper.columns("s"), LogSql.INSERT, SagaRowMapper.columnsAndClock("c"));
    }

    /** At most so many of each definition, and at most {@code atMost} in all. */
    List<Claimed> claimDue(Connection connection, ClaimOrder order, int ofEach) throws SQLException {
        return Jdbc.rows(
                connection,
                claimDue,
                p -> {
                    bindWanted(p, order.definitions());
                    p.number(ofEach).number(order.atMost()).text(order.owner()).micros(order.lease());
                },
                SagaClaims::claimed);
    }

    Optional<Claimed> claim(Connection connection, UUID sagaId, ClaimOrder order) throws SQLException {
        return Jdbc.row(
                connection,
                claimOne,
                p -> {
                    p.uuid(sagaId);
                    bindWanted(p, order.definitions());
                    p.text(order.owner()).micros(order.lease());
                },
                SagaClaims::claimed);
    }

    private static void bindWanted(Parameters p, List<DefinitionRef> definitions) throws SQLException {
        p.array("text", definitions.stream().map(DefinitionRef::typeName).toArray());
        p.array("int4", definitions.stream().map(DefinitionRef::typeVersion).toArray());
        p.array("text", definitions.stream().map(DefinitionRef::hash).toArray());
    }

    private static Claimed claimed(ResultSet row) throws SQLException {
        boolean expired = row.getBoolean(SagaRowMapper.NEXT);
        return new Claimed(SagaRowMapper.saga(row), expired ? Claimed.From.EXPIRED : Claimed.From.PARKED);
    }
}
