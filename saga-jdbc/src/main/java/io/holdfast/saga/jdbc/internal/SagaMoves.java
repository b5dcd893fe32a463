package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.Direction;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.spi.Change;
import io.holdfast.saga.spi.Guard;
import io.holdfast.saga.spi.Moved;
import io.holdfast.saga.spi.NewEntry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The guarded change of one saga and its journal entries, as one statement: the fence (protocol §3). Writes due_at only where
 * the lease is given up, because of the index on it.
 */
final class SagaMoves {
    private final SagaTables tables;
    private final Map<Shape, String> statements = new ConcurrentHashMap<>();

    SagaMoves(SagaTables tables) {
        this.tables = tables;
    }

    Optional<Moved> move(Connection connection, Guard guard, String node, Change change) throws SQLException {
        String sql = statements.computeIfAbsent(Shape.of(change), shape -> tables.sql(shape.sql()));
        return Jdbc.row(
                connection,
                sql,
                p -> bind(p, guard, node, change),
                row -> new Moved(row.getLong(1), SagaRowMapper.instant(row, 2)));
    }

    private static void bind(Parameters p, Guard guard, String node, Change change) throws SQLException {
        p.text(change.state().name())
                .text(change.direction().name())
                .text(change.pivot().name())
                .text(change.progress().step())
                .number(change.progress().attempts())
                .text(change.error());
        if (change.tenure() instanceof Change.Parked parked) {
            p.micros(parked.wakeUpIn());
        }
        p.uuid(guard.sagaId())
                .number(guard.runSeq())
                .text(guard.state().name())
                .text(guard.step())
                .number(guard.attempts());
        if (!change.entries().isEmpty()) {
            p.number(guard.runSeq()).text(node);
        }
        for (NewEntry entry : change.entries()) {
            LogSql.bind(p, entry);
        }
    }

    /** What makes one change's statement another than the next one's. */
    private record Shape(
            Change.Counters counters, Class<? extends Change.Tenure> tenure, boolean wakesForDeadline, int entries) {
        static Shape of(Change change) {
            boolean mayTurnBack = change.direction() == Direction.FORWARD && change.pivot() == Pivot.NONE;
            boolean parks = change.tenure() instanceof Change.Parked;
            return new Shape(
                    change.progress().counters(),
                    change.tenure().getClass(),
                    parks && mayTurnBack,
                    change.entries().size());
        }

        String sql() {
            return entries == 0 ? update("log_seq, changed_at") : journalled();
        }

        private String journalled() {
            return "WITH moved AS (" + update("saga_id, log_seq, changed_at") + "),\n"
                    + "written AS (" + LogSql.INSERT + """
                     SELECT m.saga_id, m.log_seq - %d + e.nr, m.changed_at, e.kind, e.step, e.direction, e.attempt,
                            cast(? AS bigint), cast(? AS text), e.result, e.error, e.note
                     FROM moved m CROSS JOIN %s)
                    SELECT log_seq, changed_at FROM moved""".formatted(entries, LogSql.values(entries));
        }

        private String update(String returning) {
            return """
                    UPDATE {saga}
                    SET state = ?, direction = ?, pivot = ?, step = ?, attempts = ?,
                        last_error = coalesce(cast(? AS text), last_error),
                        log_seq = log_seq + %d, changed_at = clock_timestamp()%s%s
                    WHERE saga_id = ? AND run_seq = ? AND state = ? AND step = ? AND attempts = ?
                    RETURNING %s""".formatted(entries, tenureSql(), countersSql(), returning);
        }

        private String tenureSql() {
            if (tenure == Change.Raised.class) {
                return ", run_seq = run_seq + 1";
            }
            if (tenure == Change.Ended.class) {
                return ", owner = NULL, due_at = NULL";
            }
            if (tenure == Change.Parked.class) {
                return ", owner = NULL, due_at = " + wakeUp();
            }
            return "";
        }

        private String wakeUp() {
            String wakeUp = "clock_timestamp() + ? * interval '1 microsecond'";
            // least() passes over NULL
            return wakesForDeadline ? "least(" + wakeUp + ", deadline_at)" : wakeUp;
        }

        private String countersSql() {
            return switch (counters) {
                case KEEP -> "";
                case OUTCOME -> ", takeovers = 0";
                case NEW_STEP -> ", takeovers = 0, step_at = clock_timestamp()";
            };
        }
    }
}
