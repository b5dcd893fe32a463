package io.holdfast.saga.jdbc.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * What really ran, in the order in which it ran. Steps write to it on a connection that is not theirs and commits at
 * once, so executions whose transaction was rolled back are in it too. Threadsafe; the table is {@link Fixtures#EFFECT}.
 */
public final class Effects implements AutoCloseable {

    private final DataSource dataSource;
    private Connection connection;

    private Effects(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Creates the table and opens the log. */
    public static Effects install(TestDatabase database) {
        Fixtures.install(database.dataSource(), Fixtures.EFFECT);
        return in(database);
    }

    /** Opens the log of a database that has the table, in another JVM say. */
    public static Effects in(TestDatabase database) {
        return new Effects(database.dataSource());
    }

    /** Adds one, durable when this returns. */
    public synchronized void append(Effect effect) {
        Sql.execute(
                connection(),
                "INSERT INTO effect (saga_id, step, phase, run_seq, worker, idem_key) VALUES (?, ?, ?, ?, ?, ?)",
                effect.sagaId(),
                effect.step(),
                effect.phase(),
                effect.runSeq(),
                effect.worker(),
                effect.idempotencyKey());
    }

    /** All of them, oldest first. */
    public synchronized List<Effect> all() {
        return Sql.rows(connection(), "SELECT saga_id, step, phase, run_seq, worker, idem_key FROM effect ORDER BY seq")
                .stream()
                .map(row -> new Effect(
                        (UUID) row.get("saga_id"),
                        (String) row.get("step"),
                        (String) row.get("phase"),
                        (Long) row.get("run_seq"),
                        (String) row.get("worker"),
                        (String) row.get("idem_key")))
                .toList();
    }

    /** How often a step ran in a phase, over all sagas. */
    public long count(String step, String phase) {
        return all().stream()
                .filter(effect -> step.equals(effect.step()) && phase.equals(effect.phase()))
                .count();
    }

    /** What ran for one saga, oldest first, each as {@code "step phase"}. */
    public List<String> of(UUID sagaId) {
        return all().stream()
                .filter(effect -> sagaId.equals(effect.sagaId()))
                .map(effect -> effect.step() + " " + effect.phase())
                .toList();
    }

    /** Fails unless exactly these ran for the saga, in this order, each given as {@code "step phase"}. */
    public void assertRan(UUID sagaId, String... stepsAndPhases) {
        assertThat(of(sagaId)).as("effects of saga %s", sagaId).containsExactly(stepsAndPhases);
    }

    @Override
    public synchronized void close() {
        if (connection != null) {
            TcpProxy.close(connection);
        }
    }

    private Connection connection() {
        try {
            if (connection == null || connection.isClosed()) {
                connection = dataSource.getConnection();
            }
            return connection;
        } catch (SQLException failed) {
            throw new SqlFailure(failed);
        }
    }
}
