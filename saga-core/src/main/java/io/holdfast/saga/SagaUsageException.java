package io.holdfast.saga;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A call that cannot be answered as it was made: an unknown type, a blank key, no such result, a closed engine. Nothing was changed. */
public final class SagaUsageException extends SagaException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * For the library's own use.
     *
     * @param error what is the case, never null
     * @param message the text after the code, never null
     * @param cause what it came from, or null
     */
    public SagaUsageException(SagaError error, String message, @Nullable Throwable cause) {
        super(error, message, cause);
    }

    /**
     * For the library's own use, without a cause.
     *
     * @param error what is the case, never null
     * @param message the text after the code, never null
     */
    public SagaUsageException(SagaError error, String message) {
        this(error, message, null);
    }
}
