package io.holdfast.saga;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A name, duration, step, table or definition that is refused; thrown by the call that gave it, and the message names the rule. */
public final class SagaDefinitionException extends SagaException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * For the library's own use.
     *
     * @param error what is the case, never null
     * @param message the text after the code, never null
     * @param cause what it came from, or null
     */
    public SagaDefinitionException(SagaError error, String message, @Nullable Throwable cause) {
        super(error, message, cause);
    }

    /**
     * For the library's own use, without a cause.
     *
     * @param error what is the case, never null
     * @param message the text after the code, never null
     */
    public SagaDefinitionException(SagaError error, String message) {
        this(error, message, null);
    }
}
