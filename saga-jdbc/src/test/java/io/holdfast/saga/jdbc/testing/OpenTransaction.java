package io.holdfast.saga.jdbc.testing;

import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Another session in an open transaction, which keeps what it locked until it ends. Closing rolls back what was not
 * committed. Not threadsafe.
 */
public final class OpenTransaction implements AutoCloseable {

    private static final Duration WAITER_LIMIT = Duration.ofSeconds(10);

    private final DataSource dataSource;
    private final Connection connection;
    private final int pid;

    private OpenTransaction(DataSource dataSource, Connection connection) {
        this.dataSource = dataSource;
        this.connection = connection;
        this.pid = Sql.value(connection, Integer.class, "SELECT pg_backend_pid()");
    }

    /** Begins a transaction at the database's default isolation on a connection of its own. */
    public static OpenTransaction begin(DataSource dataSource) {
        try {
            var connection = dataSource.getConnection();
            connection.setAutoCommit(false);
            return new OpenTransaction(dataSource, connection);
        } catch (SQLException failed) {
            throw new SqlFailure(failed);
        }
    }

    /** Runs a statement in the transaction; returns the number of rows. */
    public int execute(String sql, Object... parameters) {
        return Sql.execute(connection, sql, parameters);
    }

    /** The only column of the only row, as this transaction sees it. */
    public <T> T value(Class<T> type, String sql, Object... parameters) {
        return Sql.value(connection, type, sql, parameters);
    }

    /** Its connection, for what joins a transaction; to be ended here all the same. */
    public Connection connection() {
        return connection;
    }

    /** The server process of this session. */
    public int pid() {
        return pid;
    }

    /** Returns when at least {@code waiters} sessions wait for a lock this transaction holds; fails after ten seconds. */
    public void awaitWaiters(int waiters) {
        await().alias(waiters + " session(s) waiting for a lock of the open transaction")
                .atMost(WAITER_LIMIT)
                .until(() -> waiters() >= waiters);
    }

    /** The number of sessions that wait for a lock this transaction holds now. */
    public int waiters() {
        return Sql.value(
                dataSource,
                Integer.class,
                "SELECT count(DISTINCT pid)::int FROM pg_locks WHERE NOT granted AND ? = ANY(pg_blocking_pids(pid))",
                pid);
    }

    /** Makes what was done durable and ends the session. */
    public void commit() {
        end(Connection::commit);
    }

    /** Undoes what was done and ends the session. */
    public void rollback() {
        end(Connection::rollback);
    }

    @Override
    public void close() {
        try {
            rollback();
        } catch (SqlFailure sessionGone) {
            // And its transaction with it: the connection is closed all the same.
        }
    }

    private void end(Ending ending) {
        try (connection) {
            if (!connection.isClosed()) {
                ending.apply(connection);
                connection.setAutoCommit(true);
            }
        } catch (SQLException failed) {
            throw new SqlFailure(failed);
        }
    }

    /** How a transaction ends. */
    private interface Ending {
        void apply(Connection connection) throws SQLException;
    }
}
