package io.holdfast.saga.jdbc.internal;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a local attempt's transaction from another thread, without waiting: its connection is closed under it, so that it can
 * never commit. Does nothing to a connection that went back to its pool. Threadsafe.
 */
final class AbortSwitch implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(AbortSwitch.class);

    private @Nullable Connection watched;
    private boolean thrown;

    /** From now on it is this connection. False when the attempt was given up already. */
    synchronized boolean watch(Connection connection) {
        watched = connection;
        return !thrown;
    }

    /** The connection is about to go back. */
    synchronized void release() {
        watched = null;
    }

    @Override
    public synchronized void run() {
        thrown = true;
        Connection connection = watched;
        if (connection == null) {
            return;
        }
        try {
            BaseConnection driver = driver(connection);
            connection.abort(Runnable::run);
            if (driver != null) {
                cancelStatement(driver);
            }
        } catch (SQLException e) {
            LOG.warn(
                    "the connection of an attempt that was given up could not be closed; its commit is refused by run_seq",
                    e);
        }
    }

    private static @Nullable BaseConnection driver(Connection connection) throws SQLException {
        return connection.isWrapperFor(BaseConnection.class) ? connection.unwrap(BaseConnection.class) : null;
    }

    /**
     * The server notices the closed connection only when its statement ends; until then it keeps its rows from the next
     * attempt. Asking for its cancellation takes another connection, and time.
     */
    private static void cancelStatement(BaseConnection driver) {
        Thread cancel = new Thread(() -> sendCancel(driver), "holdfast-cancel");
        cancel.setDaemon(true);
        cancel.start();
    }

    private static void sendCancel(BaseConnection driver) {
        try {
            driver.getQueryExecutor().sendQueryCancel();
        } catch (SQLException e) {
            LOG.debug("the statement of an attempt that was given up could not be cancelled", e);
        }
    }
}
