package io.holdfast.saga.jdbc;

import io.holdfast.saga.RejectionException;
import io.holdfast.saga.SagaError;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The database does not take a value that a step wanted to write, or does not take it exactly: a constraint, the column's type or a trigger
 * is against it. A business failure: nothing was changed, and the step fails without a retry.
 */
public final class ValueRefusedException extends RejectionException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * For the library's own use.
     *
     * @param message the row, the column and why, never null
     * @param cause what the database said, or null
     */
    public ValueRefusedException(String message, @Nullable Throwable cause) {
        super(SagaError.VALUE_REFUSED, message, cause);
    }
}
