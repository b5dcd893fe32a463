package io.holdfast.saga;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Data or a result that cannot be stored or read back: not JSON-storable characters, too large, or not of the declared type. */
public final class PayloadException extends SagaException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * For the library's own use.
     *
     * @param error what is the case, never null
     * @param message the text after the code, never null
     * @param cause what it came from, or null
     */
    public PayloadException(SagaError error, String message, @Nullable Throwable cause) {
        super(error, message, cause);
    }

    /**
     * For the library's own use, without a cause.
     *
     * @param error what is the case, never null
     * @param message the text after the code, never null
     */
    public PayloadException(SagaError error, String message) {
        this(error, message, null);
    }
}
