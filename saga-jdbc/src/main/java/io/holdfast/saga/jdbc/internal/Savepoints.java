package io.holdfast.saga.jdbc.internal;

import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jooq.TransactionContext;
import org.jooq.TransactionProvider;
import org.jooq.exception.DataAccessException;

/** Makes {@code dsl.transaction(…)} inside a local step a savepoint: its own transaction is open already, and the store's. */
final class Savepoints implements TransactionProvider {
    private final StepConnection connection;
    private final Deque<Savepoint> open = new ArrayDeque<>();

    Savepoints(StepConnection connection) {
        this.connection = connection;
    }

    @Override
    public void begin(TransactionContext context) {
        try {
            open.push(connection.open().setSavepoint());
        } catch (SQLException e) {
            throw new DataAccessException("savepoint", e);
        }
    }

    @Override
    public void commit(TransactionContext context) {
        try {
            connection.open().releaseSavepoint(open.pop());
        } catch (SQLException e) {
            throw new DataAccessException("release of a savepoint", e);
        }
    }

    @Override
    public void rollback(TransactionContext context) {
        try {
            connection.open().rollback(open.pop());
        } catch (SQLException e) {
            throw new DataAccessException("rollback to a savepoint", e);
        }
    }
}
