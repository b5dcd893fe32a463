package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.Pivot;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.Verdict;
import io.holdfast.saga.spi.NewEntry;
import io.holdfast.saga.spi.SagaStore.OperatorAction;
import io.holdfast.saga.spi.StoredSaga;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/** What is asked of a saga by somebody who does not drive it, as compare-and-sets on its row; and the driver's own fence. */
final class SagaRequests {
    private static final String OPERATOR = "operator";

    private static final String CANCEL = """
            WITH moved AS (
                UPDATE {saga}
                SET state = 'COMPENSATING', direction = 'BACKWARD',
                    run_seq = run_seq + (CASE WHEN owner IS NULL THEN 1 ELSE 0 END),
                    takeovers = CASE WHEN owner IS NULL THEN 0 ELSE takeovers END,
                    due_at = CASE WHEN owner IS NULL THEN clock_timestamp() ELSE due_at END,
                    log_seq = log_seq + 1, changed_at = clock_timestamp()
                WHERE saga_id = ? AND state = 'RUNNING' AND pivot = 'NONE'
                RETURNING saga_id, log_seq, changed_at, step, direction, run_seq),
            written AS (%s
                SELECT saga_id, log_seq, changed_at, 'TURNED_BACK', step, direction, 0, run_seq, cast(? AS text),
                       NULL, NULL, cast(? AS text)
                FROM moved)
            SELECT log_seq FROM moved""".formatted(LogSql.INSERT);

    private static final String OPERATE = """
            WITH moved AS (
                UPDATE {saga}
                SET %s, owner = NULL, due_at = clock_timestamp(), run_seq = run_seq + 1, attempts = 0, takeovers = 0,
                    step_at = clock_timestamp(), log_seq = log_seq + 1, changed_at = clock_timestamp()
                WHERE saga_id = ? AND state = 'STUCK'%s
                RETURNING saga_id, log_seq, changed_at, step, direction, run_seq),
            written AS (%s
                SELECT saga_id, log_seq, changed_at, 'OPERATOR', step, direction, 0, run_seq, cast(? AS text),
                       NULL, NULL, cast(? AS text)
                FROM moved)
            SELECT log_seq FROM moved""";

    private static final String RETRY = OPERATE.formatted(
            "state = CASE direction WHEN 'FORWARD' THEN 'RUNNING' ELSE 'COMPENSATING' END", "", LogSql.INSERT);

    private static final String TURN_BACK =
            OPERATE.formatted("state = 'COMPENSATING', direction = 'BACKWARD'", " AND pivot = 'NONE'", LogSql.INSERT);

    private static final String APPEND = """
            WITH counted AS (UPDATE {saga} SET log_seq = log_seq + 1 WHERE saga_id = ? RETURNING saga_id, log_seq),
            written AS (%s
                SELECT c.saga_id, c.log_seq, clock_timestamp(), e.kind, e.step, e.direction, e.attempt,
                       cast(? AS bigint), cast(? AS text), e.result, e.error, e.note
                FROM counted c CROSS JOIN %s)
            SELECT log_seq FROM counted""".formatted(LogSql.INSERT, LogSql.values(1));

    /** The raise waits for the transaction whose answer was lost, or fences it; so what it returns is final. */
    private static final String FENCE = """
            UPDATE {saga} s SET run_seq = s.run_seq + 1, changed_at = clock_timestamp()
            WHERE s.saga_id = ? AND s.owner = ? AND s.run_seq = ? AND s.state IN ('RUNNING', 'COMPENSATING')
            RETURNING %s""".formatted(SagaRowMapper.columnsAndClock("s"));

    private final String cancel;
    private final String retry;
    private final String turnBack;
    private final String append;
    private final String fence;

    SagaRequests(SagaTables tables) {
        cancel = tables.sql(CANCEL);
        retry = tables.sql(RETRY);
        turnBack = tables.sql(TURN_BACK);
        append = tables.sql(APPEND);
        fence = tables.sql(FENCE);
    }

    boolean cancel(Connection connection, UUID sagaId, String node, String reason) throws SQLException {
        return request(connection, cancel, sagaId, node, reason);
    }

    /** Why a cancel was not applied; empty when it would be now. */
    static Optional<Verdict> refusedCancel(StoredSaga saga) {
        return switch (saga.state()) {
            case RUNNING ->
                switch (saga.pivot()) {
                    case NONE -> Optional.empty();
                    case BEGUN -> Optional.of(Verdict.UNDECIDED);
                    case PASSED -> Optional.of(Verdict.TOO_LATE);
                };
            case COMPENSATING, COMPENSATED -> Optional.of(Verdict.ALREADY);
            case STUCK, COMPLETED -> Optional.of(Verdict.TOO_LATE);
        };
    }

    boolean operate(Connection connection, UUID sagaId, OperatorAction action, String note) throws SQLException {
        String sql = action == OperatorAction.RETRY ? retry : turnBack;
        return request(connection, sql, sagaId, OPERATOR, note);
    }

    /** Why an operator's action was not applied; empty when it would be now. */
    static Optional<Verdict> refusedAction(StoredSaga saga, OperatorAction action) {
        if (saga.state() != SagaState.STUCK) {
            return Optional.of(saga.state().isFinal() ? Verdict.TOO_LATE : Verdict.ALREADY);
        }
        return action == OperatorAction.TURN_BACK && saga.pivot() != Pivot.NONE
                ? Optional.of(Verdict.TOO_LATE)
                : Optional.empty();
    }

    private static boolean request(Connection connection, String sql, UUID sagaId, String node, String note)
            throws SQLException {
        return Jdbc.row(connection, sql, p -> p.uuid(sagaId).text(node).text(note), row -> row.getLong(1))
                .isPresent();
    }

    boolean append(Connection connection, UUID sagaId, String node, long runSeq, NewEntry entry) throws SQLException {
        return Jdbc.row(
                        connection,
                        append,
                        p -> LogSql.bind(p.uuid(sagaId).number(runSeq).text(node), entry),
                        row -> row.getLong(1))
                .isPresent();
    }

    Optional<StoredSaga> fence(Connection connection, UUID sagaId, String owner, long runSeq) throws SQLException {
        return Jdbc.row(connection, fence, p -> p.uuid(sagaId).text(owner).number(runSeq), SagaRowMapper::saga);
    }
}
