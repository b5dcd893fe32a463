package io.holdfast.saga.jdbc.internal.reservation;

import io.holdfast.saga.jdbc.internal.JdbcTransaction;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;

/**
 * The statements on saga_reservation. Each names one reservation, or the open ones of one resource. Who changes a state says in the same
 * statement which it must have, by the clock at that moment: of settling and expiring one succeeds.
 */
final class ReservationSql {
    private static final String COLUMNS =
            "saga_id, incarnation, step, table_name, resource_id, quantity, exclusive, state,"
                    + " expires_at, created_at, changed_at";

    private static final String THIS = "r.saga_id = ? AND r.step = ? AND r.incarnation = ?";
    private static final String LASTS = "(r.state = 'FIRM' OR r.state = 'HELD' AND r.expires_at > clock_timestamp())";

    /** To be run with the business row locked, in a statement after the one that locked it: else it counts what was before the wait. */
    private static final String RESERVE = """
            WITH n AS MATERIALIZED (SELECT clock_timestamp() AS now),
            live AS MATERIALIZED (
                SELECT coalesce(sum(r.quantity), 0) AS taken FROM {reservation} r CROSS JOIN n
                WHERE r.table_name = ? AND r.resource_id = ? AND r.state IN ('HELD', 'FIRM')
                  AND (r.state = 'FIRM' OR r.expires_at > n.now)),
            made AS (
                INSERT INTO {reservation} (%s)
                SELECT ?, ?, ?, ?, ?, ?, false, 'HELD', n.now + ? * interval '1 millisecond', n.now, n.now
                FROM n CROSS JOIN live
                WHERE cast(? AS numeric) - live.taken >= ?
                ON CONFLICT (saga_id, step, incarnation) DO NOTHING
                RETURNING 1)
            SELECT live.taken, (SELECT count(*) FROM made) FROM live""".formatted(COLUMNS);

    /** Whoever makes it firm at the same moment has the row locked: then it is looked at again, and left alone. */
    private static final String EXPIRE = """
            UPDATE {reservation} r SET state = 'EXPIRED', changed_at = clock_timestamp()
            WHERE r.table_name = ? AND r.resource_id = ? AND r.exclusive AND r.state = 'HELD'
              AND r.expires_at <= clock_timestamp()""";

    private static final String TAKE = """
            INSERT INTO {reservation} (%s)
            SELECT ?, ?, ?, ?, ?, 1, true, 'HELD', n.now + ? * interval '1 millisecond', n.now, n.now
            FROM (SELECT clock_timestamp() AS now) n
            ON CONFLICT DO NOTHING""".formatted(COLUMNS);

    private static final String HOLDER = """
            SELECT r.saga_id, r.state, r.expires_at FROM {reservation} r
            WHERE r.table_name = ? AND r.resource_id = ? AND r.exclusive AND r.state IN ('HELD', 'FIRM', 'SETTLED')""";

    private static final String MOVE =
            "UPDATE {reservation} r SET state = '%s', changed_at = clock_timestamp() WHERE " + THIS + " AND " + LASTS;

    private static final String FIRM = MOVE.formatted("FIRM");
    private static final String SETTLE = MOVE.formatted("SETTLED");

    private static final String RELEASE = """
            UPDATE {reservation} r
            SET state = CASE WHEN %s THEN 'RELEASED' ELSE 'EXPIRED' END, changed_at = clock_timestamp()
            WHERE %s AND r.state IN ('HELD', 'FIRM')
            RETURNING r.state""".formatted(LASTS, THIS);

    private static final String STATE = "SELECT r.state, r.expires_at FROM {reservation} r WHERE " + THIS;

    private final DSLContext dsl;
    private final JdbcTransaction transaction;

    ReservationSql(JdbcTransaction transaction) {
        this.dsl = transaction.dsl();
        this.transaction = transaction;
    }

    /** Which reservation. */
    record ReservationKey(UUID sagaId, UUID incarnation, String step) {}

    /** Of what: the table or name, and the id as the database prints it. */
    record Of(String table, String id) {}

    /** How many units were taken by others, and whether a reservation was made. */
    record Made(BigDecimal taken, boolean made) {}

    Made reserve(ReservationKey key, Of of, long quantity, BigDecimal capacity, Duration ttl) {
        Record found = dsl.fetchSingle(
                sql(RESERVE),
                of.table,
                of.id,
                key.sagaId,
                key.incarnation,
                key.step,
                of.table,
                of.id,
                quantity,
                ttl.toMillis(),
                capacity,
                quantity);
        return new Made(found.get(0, BigDecimal.class), found.get(1, Integer.class) == 1);
    }

    boolean take(ReservationKey key, Of of, Duration ttl) {
        dsl.execute(sql(EXPIRE), of.table, of.id);
        int made = dsl.execute(sql(TAKE), key.sagaId, key.incarnation, key.step, of.table, of.id, ttl.toMillis());
        return made == 1;
    }

    /** Who has what there is only one of, in words. */
    Optional<String> holder(Of of) {
        return dsl.fetchOptional(sql(HOLDER), of.table, of.id)
                .map(found -> "saga " + found.get(0) + " has it (" + found.get(1) + ", until " + found.get(2) + ")");
    }

    boolean firm(ReservationKey key) {
        return move(FIRM, key);
    }

    boolean settle(ReservationKey key) {
        return move(SETTLE, key);
    }

    private boolean move(String sql, ReservationKey key) {
        return dsl.execute(sql(sql), key.sagaId, key.step, key.incarnation) == 1;
    }

    /** RELEASED, or EXPIRED when its time was over; empty when it had ended before. */
    Optional<String> release(ReservationKey key) {
        return dsl.fetchOptional(sql(RELEASE), key.sagaId, key.step, key.incarnation)
                .map(found -> found.get(0, String.class));
    }

    /** What became of it, in words. */
    String fate(ReservationKey key) {
        return dsl.fetchOptional(sql(STATE), key.sagaId, key.step, key.incarnation)
                .map(found -> "is " + found.get(0) + ", kept until " + found.get(1))
                .orElse("is not there");
    }

    private String sql(String text) {
        return transaction.tables().sql(text);
    }
}
