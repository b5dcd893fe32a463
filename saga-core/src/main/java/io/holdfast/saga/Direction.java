package io.holdfast.saga;

/** Which way a saga goes. Changes once at most, from FORWARD to BACKWARD. */
public enum Direction {
    /** Doing. */
    FORWARD,
    /** Undoing. */
    BACKWARD
}
