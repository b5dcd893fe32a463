package io.holdfast.saga.jdbc.testing;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Looks for what a test must not leave behind in its database. Something that is just ending has two seconds for it;
 * the sessions found are then ended by force, so that the next test in the same database is not blamed for them.
 */
record LeakCheck(String database, List<HikariDataSource> pools) {

    private static final Duration GRACE = Duration.ofSeconds(2);

    private static final String SESSIONS = """
            SELECT pid, state, query, advisory
            FROM pg_stat_activity,
                 LATERAL (SELECT count(*) AS advisory FROM pg_locks
                          WHERE pg_locks.pid = pg_stat_activity.pid AND locktype = 'advisory' AND granted) AS held
            WHERE datname = ? AND (state LIKE 'idle in transaction%' OR advisory > 0)
            ORDER BY pid
            """;

    void verify() {
        try {
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(20))
                    .atMost(GRACE)
                    .until(() -> leaks().isEmpty());
        } catch (ConditionTimeoutException stillThere) {
            var leaks = leaks();
            Maintenance.rows("SELECT pg_terminate_backend(pid) FROM (" + SESSIONS + ") AS leaking", database);
            if (!leaks.isEmpty()) {
                throw new AssertionError("the test left behind in " + database + ":\n  " + String.join("\n  ", leaks));
            }
        }
    }

    private List<String> leaks() {
        var leaks = new ArrayList<String>();
        for (var pool : pools) {
            int active = pool.isRunning() ? pool.getHikariPoolMXBean().getActiveConnections() : 0;
            if (active > 0) {
                leaks.add(active + " connection(s) of " + pool.getPoolName() + " not given back");
            }
        }
        for (var session : Maintenance.rows(SESSIONS, database)) {
            leaks.add("session " + session.get("pid") + " " + session.get("state") + ", " + session.get("advisory")
                    + " advisory lock(s), last statement: " + session.get("query"));
        }
        return leaks;
    }
}
