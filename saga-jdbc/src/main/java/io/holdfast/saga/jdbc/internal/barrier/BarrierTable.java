package io.holdfast.saga.jdbc.internal.barrier;

import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.jdbc.barrier.BarrierCall;
import io.holdfast.saga.jdbc.internal.Jdbc;
import io.holdfast.saga.jdbc.internal.SchemaChange;
import io.holdfast.saga.jdbc.internal.SchemaName;
import io.holdfast.saga.jdbc.internal.SchemaScript;
import io.holdfast.saga.jdbc.internal.SqlStates;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The table and its statements. Who inserts a row, or changes its state, learns it from RETURNING. Sent to the driver as they are: the
 * caller's jOOQ settings must not change them.
 */
public final class BarrierTable {
    private static final SchemaScript SCRIPT = new SchemaScript(1, "barrier.sql");

    /** No such table, schema or column; no right to it. */
    private static final Set<String> NOT_THERE = Set.of("42P01", "3F000", "42703", "42501");

    private static final String INSERT = """
            INSERT INTO {barrier} (action, step, state, changed_at) VALUES (?, ?, ?, clock_timestamp())
            ON CONFLICT (action, step) DO NOTHING RETURNING 1""";

    private static final String UNDO = """
            UPDATE {barrier} SET state = 'UNDONE', changed_at = clock_timestamp()
            WHERE action = ? AND step = ? AND state = 'DONE' RETURNING 1""";

    private static final String STORE =
            "UPDATE {barrier} SET %s = cast(? AS jsonb) WHERE action = ? AND step = ? RETURNING 1";

    private static final String FIND = "SELECT state, result, undo_result FROM {barrier} WHERE action = ? AND step = ?";

    /** The limit is a scalar subquery, so that the index is used although the clock is volatile. */
    private static final String PURGE = """
            WITH old AS MATERIALIZED (
                SELECT action, step FROM {barrier}
                WHERE changed_at < (SELECT clock_timestamp() - ? * interval '1 millisecond')
                ORDER BY changed_at LIMIT ? FOR UPDATE SKIP LOCKED)
            DELETE FROM {barrier} b USING old WHERE b.action = old.action AND b.step = old.step
            RETURNING 1""";

    private final SchemaName schema;
    private final String name;

    private BarrierTable(SchemaName schema) {
        this.schema = schema;
        this.name = schema.quoted("saga_barrier");
    }

    /** The table in a schema, whose name is checked. */
    public static BarrierTable in(String schemaName) {
        return new BarrierTable(SchemaName.of(schemaName));
    }

    /** From nothing. */
    public String ddl() {
        return "CREATE SCHEMA IF NOT EXISTS " + schema.quoted() + ";\n\n" + SCRIPT.text(schema);
    }

    /** Creates it where it is missing. */
    public void migrate(DataSource dataSource) {
        SchemaChange.apply(dataSource, schema, connection -> {
            if (!SchemaChange.hasTable(connection, name)) {
                Jdbc.execute(connection, SCRIPT.text(schema));
            }
        });
    }

    /** Whether the action had no row; waits for who is inserting it, or changing it, until that is decided. */
    boolean insert(Connection connection, BarrierCall call, Mark.State state) throws SQLException {
        return Jdbc.row(
                        connection,
                        sql(INSERT),
                        bind -> bind.text(call.action()).text(call.step()).text(state.name()),
                        row -> true)
                .isPresent();
    }

    /** Whether the action was done and not undone; waits for who is undoing it. */
    boolean undo(Connection connection, BarrierCall call) throws SQLException {
        return Jdbc.row(connection, sql(UNDO), bind -> bind.text(call.action()).text(call.step()), row -> true)
                .isPresent();
    }

    /** Whether the row is still there to keep a result. */
    boolean store(Connection connection, BarrierCall call, String json) throws SQLException {
        String column = switch (call.direction()) {
            case FORWARD -> "result";
            case BACKWARD -> "undo_result";
        };
        return Jdbc.row(
                        connection,
                        sql(STORE.formatted(column)),
                        bind -> bind.text(json).text(call.action()).text(call.step()),
                        row -> true)
                .isPresent();
    }

    /** The row, by a new statement: the one that met it may not see it. */
    Optional<Mark> find(Connection connection, BarrierCall call) throws SQLException {
        return Jdbc.row(
                connection,
                sql(FIND),
                bind -> bind.text(call.action()).text(call.step()),
                row -> new Mark(Mark.State.valueOf(row.getString(1)), row.getString(2), row.getString(3)));
    }

    /** How many rows one statement removed. */
    int purge(Connection connection, Duration age, int most) throws SQLException {
        return Jdbc.rows(
                        connection,
                        sql(PURGE),
                        bind -> bind.number(age.toMillis()).number((long) most),
                        row -> 1)
                .size();
    }

    /** When the error says that the table is not as it should be. */
    @Nullable
    SagaDefinitionException missing(SQLException e) {
        if (!SqlStates.has(e, NOT_THERE::contains)) {
            return null;
        }
        return new SagaDefinitionException(
                SagaError.SCHEMA_MISMATCH,
                name + " is missing or not accessible (SQLSTATE " + e.getSQLState()
                        + "): apply Barrier.ddl(…) with your own tool, or call Barrier.migrate(dataSource, …)",
                e);
    }

    private String sql(String text) {
        return text.replace("{barrier}", name);
    }
}
