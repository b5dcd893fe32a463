package io.holdfast.saga;

/** The answer to a compare-and-set asked from outside: a cancel, or an operator's action. */
public enum Verdict {
    /** Done by this call. */
    APPLIED,
    /** It was so before this call. */
    ALREADY,
    /** The pivot is being asked: the saga may still turn back by itself, but nobody can make it. */
    UNDECIDED,
    /** The saga is past the point where this is possible. */
    TOO_LATE,
    /** No such saga. */
    NOT_FOUND
}
