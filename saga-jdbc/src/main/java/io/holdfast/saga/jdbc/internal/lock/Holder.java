package io.holdfast.saga.jdbc.internal.lock;

import io.holdfast.saga.Pivot;
import io.holdfast.saga.SagaState;
import java.time.Instant;

/**
 * A saga that holds a row, as another saga sees it.
 *
 * @param state its state
 * @param pivot how far its point of no return is
 * @param step its current step
 * @param createdAt its age
 * @param overdue whether it should be driven, and nobody does
 */
record Holder(SagaState state, Pivot pivot, String step, Instant createdAt, boolean overdue) {
    boolean isFinished() {
        return state == SagaState.COMPLETED || state == SagaState.COMPENSATED;
    }

    /** Whether nothing it did is irreversible yet, and it is not being undone. */
    boolean canBeTurnedBack() {
        return state == SagaState.RUNNING && pivot == Pivot.NONE;
    }

    /** For people. */
    String print() {
        return state + " at step " + step;
    }
}
