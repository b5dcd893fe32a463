package io.holdfast.saga.internal;

import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaException;
import java.io.Serial;
import java.time.Duration;

/** Stands in the journal for an attempt that outlived its timeout. */
final class StepTimedOut extends SagaException {
    @Serial
    private static final long serialVersionUID = 1L;

    StepTimedOut(String step, Duration timeout) {
        super(
                SagaError.STEP_TIMED_OUT,
                "step \"" + step + "\" did not end within " + timeout
                        + "; its thread was interrupted and is ignored from here on",
                null);
    }
}
