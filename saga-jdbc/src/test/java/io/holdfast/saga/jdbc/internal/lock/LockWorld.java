package io.holdfast.saga.jdbc.internal.lock;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.jdbc.Schema;
import io.holdfast.saga.jdbc.internal.JdbcTransaction;
import io.holdfast.saga.jdbc.internal.SagaTables;
import io.holdfast.saga.jdbc.internal.lock.LockReceipt.Row;
import io.holdfast.saga.jdbc.internal.lock.LockRequest.Claimer;
import io.holdfast.saga.jdbc.internal.table.RowIds;
import io.holdfast.saga.jdbc.testing.Sql;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Sagas that claim rows without an engine: what a node would do, one transaction at a time. Threadsafe. */
final class LockWorld {
    /** Not on the search path. */
    static final String SCHEMA = "saga_fw";

    static final Duration MINUTE = Duration.ofMinutes(1);

    private final DataSource dataSource;
    private final SagaTables tables = SagaTables.in(SCHEMA);

    LockWorld(DataSource dataSource) {
        this.dataSource = dataSource;
        Schema.migrate(dataSource, SCHEMA);
    }

    /** A saga that a node drives, under a lease that lasts. */
    UUID saga() {
        return saga("RUNNING", "NONE", "node", "1 hour");
    }

    /** A saga as it is described; due in so long, or never when null. */
    UUID saga(String state, String pivot, String owner, String dueIn) {
        UUID id = UUID.randomUUID();
        String direction = state.startsWith("COMPENSAT") ? "BACKWARD" : "FORWARD";
        Sql.execute(dataSource, """
                    INSERT INTO saga_fw.saga (saga_id, type_name, type_version, definition_hash, business_key, identity,
                        incarnation, data, state, direction, pivot, step, attempts, step_at, takeovers, run_seq, owner, due_at,
                        log_seq, created_at, changed_at)
                    VALUES (?, 'order', 1, 'h', ?, 'i', gen_random_uuid(), '{}', ?, ?, ?, 'work', 0, clock_timestamp(), 0, 1, ?,
                        clock_timestamp() + cast(? AS interval), 1, clock_timestamp(), clock_timestamp())\
                    """, id, id.toString(), state, direction, pivot, owner, dueIn);
        return id;
    }

    /** Changes saga rows. */
    void set(UUID saga, String assignments) {
        Sql.execute(dataSource, "UPDATE saga_fw.saga SET " + assignments + " WHERE saga_id = ?", saga);
    }

    /** Reads a column of a saga's row. */
    String saga(UUID saga, String expression) {
        return Sql.value(
                dataSource, String.class, "SELECT " + expression + " FROM saga_fw.saga WHERE saga_id = ?", saga);
    }

    /** The kinds of a saga's journal entries. */
    List<Object> journal(UUID saga) {
        return Sql.rows(dataSource, "SELECT kind FROM saga_fw.saga_log WHERE saga_id = ? ORDER BY seq", saga).stream()
                .map(row -> row.get("kind"))
                .toList();
    }

    /** The first claim of a saga, just begun. */
    LockReceipt claim(LockSpec lock, UUID saga, Object... ids) {
        return claim(lock, request(lock, saga, ids));
    }

    LockRequest request(LockSpec lock, UUID saga, Object... ids) {
        Duration lockFor =
                lock.patience().lockFor() == null ? MINUTE : lock.patience().lockFor();
        return new LockRequest(
                new Claimer(saga, Instant.now(), false, "node"),
                RowIds.of(lock.table(), List.of(ids)),
                lockFor,
                Duration.ZERO);
    }

    /** Claims, and journals the receipt in the same transaction. */
    LockReceipt claim(LockSpec lock, LockRequest request) {
        return inTransaction(tx -> {
            LockReceipt receipt = RowClaim.take(tx, lock, request);
            journal(tx, request.claimer().sagaId(), receipt);
            return receipt;
        });
    }

    private void journal(JdbcTransaction tx, UUID saga, LockReceipt receipt) {
        tx.dsl().execute("""
                        WITH moved AS (
                            UPDATE saga_fw.saga SET log_seq = log_seq + 1 WHERE saga_id = ? RETURNING saga_id, log_seq)
                        INSERT INTO saga_fw.saga_log (saga_id, seq, at, kind, step, direction, attempt, run_seq, node, result)
                        SELECT saga_id, log_seq, clock_timestamp(), ?, 'claim', 'FORWARD', 1, 1, 'node', cast(? AS jsonb)
                        FROM moved\
                        """, saga, Kind.STEP_DONE.name(), receipt.receipt().json());
    }

    /** Undoes a claim; returns the rows that were lost. */
    List<List<String>> restore(UUID saga, LockReceipt receipt) {
        return inTransaction(tx -> rows(tx, saga, receipt).giveBack(receipt.acquired(), Row::former));
    }

    /** Gives rows back with a final status; returns the rows that were lost. */
    List<List<String>> release(UUID saga, LockReceipt receipt, String status) {
        return inTransaction(tx -> rows(tx, saga, receipt).giveBack(receipt.acquired(), row -> status));
    }

    void assertHeld(UUID saga, LockReceipt receipt) {
        inTransaction(tx -> {
            rows(tx, saga, receipt).assertHeld(receipt);
            return null;
        });
    }

    private static HeldRows rows(JdbcTransaction tx, UUID saga, LockReceipt receipt) {
        return new HeldRows(tx.dsl(), receipt.table(), saga);
    }

    /** As the store's: READ COMMITTED, rolled back when the work throws. */
    <T> T inTransaction(Function<JdbcTransaction, T> work) {
        return DSL.using(dataSource, SQLDialect.POSTGRES)
                .transactionResult(configuration -> work.apply(new JdbcTransaction(configuration.dsl(), tables)));
    }

    /** One row of a table, its columns as texts. */
    Map<String, Object> row(String table, String where) {
        return Sql.rows(dataSource, "SELECT * FROM " + table + " WHERE " + where)
                .get(0);
    }

    void sql(String script) {
        Sql.execute(dataSource, script);
    }

    <T> T value(Class<T> type, String sql, Object... parameters) {
        return Sql.value(dataSource, type, sql, parameters);
    }
}
