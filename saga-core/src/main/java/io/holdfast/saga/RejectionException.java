package io.holdfast.saga;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * What says that a step was surely not done, and that asking again will not help. Before the pivot the saga turns back at once; after it
 * the saga is stuck. Steps of yours throw {@link StepRejectedException}; the other subclasses are the library's own tools'.
 */
public abstract class RejectionException extends SagaException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * For the library's own use.
     *
     * @param error what is the case, never null
     * @param message the text after the code, never null
     * @param cause what it came from, or null
     */
    protected RejectionException(SagaError error, String message, @Nullable Throwable cause) {
        super(error, message, cause);
    }
}
