package io.holdfast.saga.spi;

import io.holdfast.saga.Direction;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.SagaState;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a saga goes, and what its journal says about it. Whoever applies it leaves untouched what it does not name: a change
 * that keeps its {@link Tenure} writes neither owner nor due_at (an index on due_at would cost every move its HOT update).
 *
 * @param state the new state
 * @param direction the new direction
 * @param pivot the new pivot
 * @param progress the step, and what happens to its counters
 * @param tenure what happens to owner, due_at and run_seq
 * @param error the new last error; null leaves the former one
 * @param entries appended in this order, possibly none
 */
public record Change(
        SagaState state,
        Direction direction,
        Pivot pivot,
        Progress progress,
        Tenure tenure,
        @Nullable String error,
        List<NewEntry> entries) {

    /**
     * What happens to step, attempts, takeovers and step_at.
     *
     * @param step the current step afterwards
     * @param attempts the attempts afterwards
     * @param counters what else is reset
     */
    public record Progress(String step, int attempts, Counters counters) {}

    /** What else is reset. */
    public enum Counters {
        /** takeovers and step_at stay: an attempt was given up, or the saga is parked. */
        KEEP,
        /** takeovers becomes 0: an outcome was recorded. */
        OUTCOME,
        /** takeovers becomes 0 and step_at the database's clock: another step, or direction, begins. */
        NEW_STEP
    }

    /** What happens to owner, due_at and run_seq. */
    public sealed interface Tenure {}

    /** Owner, due_at and run_seq stay. */
    public record Kept() implements Tenure {}

    /** Owner and due_at stay, run_seq is raised: an attempt was given up whose thread may still live. */
    public record Raised() implements Tenure {}

    /**
     * Nobody drives it until it is due.
     *
     * @param wakeUpIn due_at becomes the database's clock plus this, or the deadline where that is earlier while FORWARD and
     *     pivot NONE
     */
    public record Parked(Duration wakeUpIn) implements Tenure {}

    /** Nobody drives it and it is never due: finished or stuck. */
    public record Ended() implements Tenure {}
}
