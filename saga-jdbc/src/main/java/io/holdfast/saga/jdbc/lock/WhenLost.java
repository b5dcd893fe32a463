package io.holdfast.saga.jdbc.lock;

/** What a release does when its saga does not hold the row any more. Nobody else's row is touched in either case. */
public enum WhenLost {
    /** The step is refused: after the pivot the saga is stuck, and a person looks at it. */
    REFUSE,
    /** The rows still held are released, the lost ones left alone, with a warning in the log; the saga goes on. */
    LEAVE
}
