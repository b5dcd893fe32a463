package io.holdfast.saga.jdbc.counter;

import io.holdfast.saga.jdbc.testing.Fixtures;
import io.holdfast.saga.jdbc.testing.Sql;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** The accounts, and what the journal says that they should hold. Threadsafe. */
record Ledger(DataSource dataSource) {
    private static final BigDecimal INITIAL = new BigDecimal("100.00");

    /**
     * Whatever is wrong, at one moment: one statement sees one state of the database. An account must hold what the journal moved, since both
     * are written in one transaction; a saga that ended must have moved nothing in sum.
     */
    private static final String ODD = """
            WITH moved AS MATERIALIZED (
                SELECT d.saga_id, (d.result -> 'id' ->> 0)::uuid AS account, (d.result ->> 'delta')::numeric AS delta
                FROM holdfast.saga_log d
                WHERE d.kind = 'STEP_DONE' AND d.result -> 'counter' IS NOT NULL
                  AND NOT EXISTS (SELECT FROM holdfast.saga_log u
                                  WHERE u.saga_id = d.saga_id AND u.step = d.step AND u.kind = 'STEP_UNDONE'))
            SELECT 'account ' || a.id AS what, a.balance AS is, ?::numeric + coalesce(m.delta, 0) AS expected
            FROM account a LEFT JOIN (SELECT account, sum(delta) AS delta FROM moved GROUP BY account) m ON m.account = a.id
            WHERE a.balance < 0 OR a.balance <> ?::numeric + coalesce(m.delta, 0)
            UNION ALL
            SELECT 'deltas of ' || s.state || ' ' || s.business_key, sum(m.delta), 0
            FROM holdfast.saga s JOIN moved m ON m.saga_id = s.saga_id
            WHERE s.state IN ('COMPLETED', 'COMPENSATED') GROUP BY s.saga_id
            HAVING sum(m.delta) <> 0 OR count(*) <> CASE s.state WHEN 'COMPLETED' THEN 2 ELSE 0 END
            """;

    static Ledger open(DataSource dataSource) {
        Fixtures.install(dataSource, Fixtures.ACCOUNT);
        for (int i = 0; i < Transfer.ACCOUNTS; i++) {
            Sql.execute(dataSource, "INSERT INTO account (id, balance) VALUES (?, ?)", Transfer.account(i), INITIAL);
        }
        return new Ledger(dataSource);
    }

    List<Map<String, Object>> odd() {
        return Sql.rows(dataSource, ODD, INITIAL, INITIAL);
    }

    BigDecimal initialSum() {
        return INITIAL.multiply(BigDecimal.valueOf(Transfer.ACCOUNTS));
    }

    BigDecimal sum() {
        return Sql.value(dataSource, BigDecimal.class, "SELECT sum(balance) FROM account");
    }

    /** How many sagas meet a condition. */
    long sagas(String condition) {
        return Sql.value(dataSource, Long.class, "SELECT count(*) FROM holdfast.saga WHERE " + condition);
    }

    /** How many journal entries do. */
    long entries(String condition) {
        return Sql.value(dataSource, Long.class, "SELECT count(*) FROM holdfast.saga_log WHERE " + condition);
    }
}
