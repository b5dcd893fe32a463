package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaException;
import io.holdfast.saga.SagaUsageException;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of the caller's that the library takes part in: what it must be, and what an error in it means. It is the caller's to end.
 *
 * @param purpose what it is given for, as in "the transaction to start a saga in"
 * @param collision what another transaction did at the same time
 */
public record CallersTransaction(String purpose, String collision) {
    /** Refuses a connection without a transaction that could keep anything. */
    public void require(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw refused("autocommit is on, so there is none: begin one", null);
        }
        if (connection.isReadOnly()) {
            throw refused("it is read-only", null);
        }
    }

    /** What an error of a statement of the library's is thrown as. */
    public SagaException meaning(SQLException e) {
        if (SqlStates.isRerun(e)) {
            return retry(e);
        }
        if (SqlStates.has(e, SqlStates.READ_ONLY::equals)) {
            return refused("it is read-only", e);
        }
        if (SqlStates.has(e, SqlStates.ABORTED_TRANSACTION::equals)) {
            return refused("an earlier statement of it failed, it can only be rolled back", e);
        }
        if (SqlStates.isUnavailable(e)) {
            return SqlStates.unavailable("the transaction " + purpose, e);
        }
        return refused("the server refused the statement (SQLSTATE " + e.getSQLState() + "), roll it back", e);
    }

    /** Somebody else was faster, and this transaction cannot see it. */
    public SagaUsageException retry(@Nullable SQLException cause) {
        return new SagaUsageException(
                SagaError.RETRY_YOUR_TRANSACTION,
                collision + "; your transaction can only be rolled back and run again",
                cause);
    }

    /** It cannot be used. */
    public SagaUsageException refused(String why, @Nullable Throwable cause) {
        return new SagaUsageException(
                SagaError.TRANSACTION_REFUSED, "the transaction " + purpose + " is refused: " + why, cause);
    }
}
