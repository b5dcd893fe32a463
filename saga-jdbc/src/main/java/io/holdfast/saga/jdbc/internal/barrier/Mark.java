package io.holdfast.saga.jdbc.internal.barrier;

import org.jspecify.annotations.Nullable;

/**
 * What the barrier remembers of an action.
 *
 * @param state what became of it
 * @param result what the action returned, as JSON
 * @param undoResult what the undo returned, as JSON
 */
record Mark(State state, @Nullable String result, @Nullable String undoResult) {
    /** Persisted by name. */
    enum State {
        DONE,
        UNDONE,
        EMPTY
    }
}
