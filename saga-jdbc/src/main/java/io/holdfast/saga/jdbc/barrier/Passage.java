package io.holdfast.saga.jdbc.barrier;

import org.jspecify.annotations.Nullable;

/**
 * What became of a call at the {@link Barrier}. Immutable.
 *
 * @param <R> the class of the result
 * @param kind what became of it
 * @param result what the work returned, now (RAN) or the first time (REPLAYED); null for EMPTY, LATE, and work without a result
 */
public record Passage<R>(Kind kind, @Nullable R result) {
    /** What became of a call. */
    public enum Kind {
        /** The work ran, and stands if the transaction commits. */
        RAN,
        /** It ran before; nothing was done now. */
        REPLAYED,
        /** An undo without its action: nothing to undo, and the action is refused from now on, if the transaction commits. */
        EMPTY,
        /** An action after its undo: nothing was done, now or ever. It is an error for the caller, never a success. */
        LATE
    }

    /**
     * The result, for participants that answer an action after its undo with an exception.
     *
     * @return {@link #result()}
     * @throws LateCallException when this is LATE (SAGA-212)
     */
    public @Nullable R orRefuse() {
        if (kind == Kind.LATE) {
            throw new LateCallException();
        }
        return result;
    }
}
