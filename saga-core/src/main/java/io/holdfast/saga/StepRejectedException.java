package io.holdfast.saga;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a step of yours to say: surely nothing was done under this idempotency key and never will be, and asking
 * again will not help. Before the pivot the saga turns back at once; after it the saga is stuck.
 */
public final class StepRejectedException extends RejectionException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * A rejection.
     *
     * @param message why, for the journal; never null
     * @param cause what it came from, or null
     */
    public StepRejectedException(String message, @Nullable Throwable cause) {
        super(SagaError.STEP_REJECTED, message, cause);
    }

    /**
     * A rejection without a cause.
     *
     * @param message why, for the journal; never null
     */
    public StepRejectedException(String message) {
        this(message, null);
    }
}
