package io.holdfast.saga.internal;

import java.io.Serial;

/** Unwinds a thread that does not drive its saga any more. Never seen by users. */
final class DriveEnded extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final Why why;

    /** Why it ended. */
    enum Why {
        /** Another node has the saga, or may have: nothing more of it is touched. */
        LOST,
        /** The attempt was given up: another thread of this node goes on. */
        GIVEN_UP
    }

    DriveEnded(Why why, String message) {
        super(message, null, false, false);
        this.why = why;
    }

    Why why() {
        return why;
    }
}
