package io.holdfast.saga.spi;

import io.holdfast.saga.Direction;
import io.holdfast.saga.JournalEntry.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A journal entry to be appended; the store adds number, time, fencing number and node.
 *
 * @param kind what happened
 * @param step the step concerned, or null
 * @param direction the direction after it
 * @param attempt the number of the attempt, 0 for none
 * @param result what the step returned, JSON, or null
 * @param error the error, already fit to be stored, or null
 * @param note for people, or null
 */
public record NewEntry(
        Kind kind,
        @Nullable String step,
        Direction direction,
        int attempt,
        @Nullable String result,
        @Nullable String error,
        @Nullable String note) {
    /**
     * An entry about no attempt.
     *
     * @param kind what happened
     * @param step the step concerned, or null
     * @param direction the direction after it
     * @return the entry
     */
    public static NewEntry of(Kind kind, @Nullable String step, Direction direction) {
        return new NewEntry(kind, step, direction, 0, null, null, null);
    }

    /**
     * The same about an attempt.
     *
     * @param number from 1
     * @return a new entry
     */
    public NewEntry attempt(int number) {
        return new NewEntry(kind, step, direction, number, result, error, note);
    }

    /**
     * The same with a result.
     *
     * @param json the result, or null
     * @return a new entry
     */
    public NewEntry result(@Nullable String json) {
        return new NewEntry(kind, step, direction, attempt, json, error, note);
    }

    /**
     * The same with an error.
     *
     * @param text fit to be stored, or null
     * @return a new entry
     */
    public NewEntry error(@Nullable String text) {
        return new NewEntry(kind, step, direction, attempt, result, text, note);
    }

    /**
     * The same with a note.
     *
     * @param text fit to be stored, or null
     * @return a new entry
     */
    public NewEntry note(@Nullable String text) {
        return new NewEntry(kind, step, direction, attempt, result, error, text);
    }
}
