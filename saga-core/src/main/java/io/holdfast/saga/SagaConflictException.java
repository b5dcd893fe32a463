package io.holdfast.saga;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The business key is taken by a saga of the same type that was started with another identity. Nothing was changed; the existing saga goes on. */
public final class SagaConflictException extends SagaException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * For the library's own use.
     *
     * @param error what is the case, never null
     * @param message the text after the code, never null
     * @param cause what it came from, or null
     */
    public SagaConflictException(SagaError error, String message, @Nullable Throwable cause) {
        super(error, message, cause);
    }

    /**
     * For the library's own use, without a cause.
     *
     * @param error what is the case, never null
     * @param message the text after the code, never null
     */
    public SagaConflictException(SagaError error, String message) {
        this(error, message, null);
    }
}
