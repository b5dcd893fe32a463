package io.holdfast.saga;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A row that this saga had locked is not held by it any more. Before the pivot the saga turns back; afterwards it is recorded, or the saga is stuck. */
public final class LockLostException extends RejectionException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * For the library's own use.
     *
     * @param error what is the case, never null
     * @param message the text after the code, never null
     * @param cause what it came from, or null
     */
    public LockLostException(SagaError error, String message, @Nullable Throwable cause) {
        super(error, message, cause);
    }

    /**
     * For the library's own use, without a cause.
     *
     * @param error what is the case, never null
     * @param message the text after the code, never null
     */
    public LockLostException(SagaError error, String message) {
        this(error, message, null);
    }
}
