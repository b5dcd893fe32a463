package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaStoreException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Runs the store's single statements, each of which commits by itself, and says what an error means for what was asked. */
public final class Connections {
    /** Also for transactions that are run again. */
    static final int MOST_RUNS = 10;

    private static final String READ_COMMITTED = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED";

    private final DataSource dataSource;

    Connections(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** A statement that changes nothing: whatever happens, it can be repeated. */
    <T> T read(String what, Jdbc.Use<T> statement) {
        return run(what, statement, false);
    }

    /** A statement that changes something: when its answer is lost, nobody knows whether it did. */
    <T> T change(String what, Jdbc.Use<T> statement) {
        return run(what, statement, true);
    }

    private <T> T run(String what, Jdbc.Use<T> statement, boolean changes) {
        try (Taken taken = take(what)) {
            return committed(taken.connection(), statement);
        } catch (SQLException e) {
            throw changes && SqlStates.isDoubtful(e) ? unknown(what, e) : SqlStates.unavailable(what, e);
        }
    }

    private Taken take(String what) {
        try {
            return Taken.forStatements(dataSource);
        } catch (SQLException e) {
            throw SqlStates.unavailable(what, e);
        }
    }

    /**
     * By itself; where the database's default isolation is above READ COMMITTED, which turns "somebody else was faster" into
     * 40001, in a transaction of the isolation that the statement is written for.
     */
    public static <T> T committed(Connection autoCommitting, Jdbc.Use<T> statement) throws SQLException {
        try {
            return statement.on(autoCommitting);
        } catch (SQLException e) {
            if (!SqlStates.isRerun(e)) {
                throw e;
            }
        }
        autoCommitting.setAutoCommit(false);
        try {
            return readCommitted(autoCommitting, statement);
        } finally {
            autoCommitting.setAutoCommit(true);
        }
    }

    private static <T> T readCommitted(Connection connection, Jdbc.Use<T> statement) throws SQLException {
        for (int run = 1; ; run++) {
            try {
                Jdbc.execute(connection, READ_COMMITTED);
                T result = statement.on(connection);
                connection.commit();
                return result;
            } catch (SQLException e) {
                connection.rollback();
                if (run == MOST_RUNS || !SqlStates.isRerun(e)) {
                    throw e;
                }
            }
        }
    }

    static SagaStoreException unknown(String what, SQLException cause) {
        return new SagaStoreException(
                SagaError.OUTCOME_UNKNOWN,
                what
                        + ": the answer was lost, only reading tells whether it happened; the engine does that before it goes on",
                cause);
    }
}
