package io.holdfast.saga;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A row could not be claimed, and not because another saga holds it: it is not there, has another status, or did not
 * take the mark. Nothing was claimed; the step fails without a retry.
 */
public final class RowUnavailableException extends RejectionException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Reason {
        /** No row with that id. */
        MISSING(SagaError.ROW_MISSING),
        /** A status that the lock does not take rows from. */
        WRONG_STATUS(SagaError.ROW_WRONG_STATUS),
        /** A trigger, rule or view kept the row from taking the mark: a configuration error. */
        MARK_REFUSED(SagaError.ROW_MARK_REFUSED);

        private final SagaError error;

        Reason(SagaError error) {
            this.error = error;
        }
    }

    /** Why; serialised with the exception. */
    private final Reason reason;

    /**
     * For the library's own use.
     *
     * @param reason why, never null
     * @param message the row and what was found, never null
     */
    public RowUnavailableException(Reason reason, String message) {
        this(reason, message, null);
    }

    /**
     * For the library's own use, with a cause.
     *
     * @param reason why, never null
     * @param message the row and what was found, never null
     * @param cause what it came from, or null
     */
    public RowUnavailableException(Reason reason, String message, @Nullable Throwable cause) {
        super(reason.error, message, cause);
        this.reason = reason;
    }

    /**
     * Why.
     *
     * @return never null
     */
    public Reason reason() {
        return reason;
    }
}
