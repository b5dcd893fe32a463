package io.holdfast.saga.jdbc.barrier;

import io.holdfast.saga.RejectionException;
import io.holdfast.saga.SagaError;
import java.io.Serial;

/**
 * An action arrived after its undo and was refused: nothing was done under its key and never will be. Where the participant is called in the
 * saga's own JVM it is a rejection of the step; over a network answer what the caller's step takes for one, a 409 say.
 */
public final class LateCallException extends RejectionException {
    @Serial
    private static final long serialVersionUID = 1L;

    LateCallException() {
        super(
                SagaError.CALL_TOO_LATE,
                "the action came after its undo and was not done; tell the caller that it is refused for good",
                null);
    }
}
