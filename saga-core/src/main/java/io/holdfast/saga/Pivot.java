package io.holdfast.saga;

/** How far the point of no return is. From {@link #BEGUN} on nothing turns a saga back but the pivot's own rejection. */
public enum Pivot {
    /** Not reached. */
    NONE,
    /** An external pivot may have been called. */
    BEGUN,
    /** Done. */
    PASSED
}
