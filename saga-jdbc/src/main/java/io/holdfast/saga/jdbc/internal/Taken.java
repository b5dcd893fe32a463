package io.holdfast.saga.jdbc.internal;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection taken from a DataSource for one use: whatever happens, it goes back closed, without a transaction, and in the mode it came. */
public final class Taken implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Taken.class);

    private final Connection connection;
    private final boolean formerAutoCommit;

    private Taken(Connection connection, boolean formerAutoCommit) {
        this.connection = connection;
        this.formerAutoCommit = formerAutoCommit;
    }

    /** Takes one whose statements commit by themselves, whatever the pool's default. */
    public static Taken forStatements(DataSource dataSource) throws SQLException {
        return take(dataSource, true);
    }

    /** Takes one on which the next statement begins a transaction. */
    static Taken forTransaction(DataSource dataSource) throws SQLException {
        return take(dataSource, false);
    }

    private static Taken take(DataSource dataSource, boolean autoCommit) throws SQLException {
        Connection connection = dataSource.getConnection();
        try {
            boolean former = connection.getAutoCommit();
            if (!former) {
                // a pool's own test query may have left a transaction open; changing the mode would commit it
                connection.rollback();
            }
            if (former != autoCommit) {
                connection.setAutoCommit(autoCommit);
            }
            return new Taken(connection, former);
        } catch (SQLException e) {
            closeQuietly(connection);
            throw e;
        }
    }

    /** The connection, while it is taken. */
    public Connection connection() {
        return connection;
    }

    /** Rolls back what is open; costs no message where nothing is. */
    @Override
    public void close() {
        try {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            if (connection.getAutoCommit() != formerAutoCommit) {
                connection.setAutoCommit(formerAutoCommit);
            }
        } catch (SQLException e) {
            LOG.debug("connection is broken, its pool will find out", e);
        } finally {
            closeQuietly(connection);
        }
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.debug("connection could not be closed", e);
        }
    }
}
