package io.holdfast.saga;

import java.time.Instant;
import java.util.Optional;

/** One line of a saga's journal: what the auditor reads is what the listener hears. Immutable. */
public interface JournalEntry {
    /** What happened. */
    enum Kind {
        /** The saga was stored. */
        STARTED,
        /** A step's action is done; the entry has its result. */
        STEP_DONE,
        /** A step was passed over: its condition said no, or, going backward, there was nothing to undo. */
        STEP_SKIPPED,
        /** An attempt failed; of an external step it may have had an effect. */
        STEP_FAILED,
        /** An attempt was refused: surely not done. */
        STEP_REJECTED,
        /** An external pivot may be called from now on. */
        PIVOT_BEGUN,
        /** The saga goes backward from here. */
        TURNED_BACK,
        /** A step was undone. */
        STEP_UNDONE,
        /** An attempt to undo failed. */
        COMPENSATION_FAILED,
        /** Nobody drives the saga until its wake-up time. */
        PARKED,
        /** A node took it over from one whose lease had expired. */
        TAKEN_OVER,
        /** An outcome arrived after its attempt had been given up; no state changed. */
        LATE,
        /** The end: all done. */
        COMPLETED,
        /** The end: all undone. */
        COMPENSATED,
        /** It needs a person. */
        STUCK,
        /** An operator acted; the note says who and why. */
        OPERATOR
    }

    /** {@return the entry's number within its saga, from 1, without gaps} */
    long seq();

    /** {@return when it was written, database time} */
    Instant at();

    /** {@return what happened} */
    Kind kind();

    /** {@return the step concerned} */
    Optional<String> step();

    /** {@return the direction of the saga after the entry} */
    Direction direction();

    /** {@return the number of the attempt, from 1; 0 where no attempt is concerned} */
    int attempt();

    /** {@return the fencing number under which it was written} */
    long runSeq();

    /** {@return the node that wrote it} */
    String node();

    /** {@return what people should know: who and why, former owner, wake-up time} */
    Optional<String> note();

    /** {@return the error, without what the database server calls details} */
    Optional<String> error();
}
