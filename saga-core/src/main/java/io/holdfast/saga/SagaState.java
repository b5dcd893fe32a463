package io.holdfast.saga;

/** Where a saga stands. The last two are final; {@link #STUCK} is unfinished and needs a person. */
public enum SagaState {
    /** Going forward. */
    RUNNING,
    /** Going backward: undoing what was done. */
    COMPENSATING,
    /** Cannot go on by itself; keeps its locks. See {@code docs/} for what an operator can do. */
    STUCK,
    /** All steps are done. Final. */
    COMPLETED,
    /** All that was done is undone. Final. */
    COMPENSATED;

    /**
     * Whether this state is never left again.
     *
     * @return true for COMPLETED and COMPENSATED
     */
    public boolean isFinal() {
        return this == COMPLETED || this == COMPENSATED;
    }
}
