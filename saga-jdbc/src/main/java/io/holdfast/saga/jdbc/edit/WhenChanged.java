package io.holdfast.saga.jdbc.edit;

/** What an edit does when the row has changed since it was read. */
public enum WhenChanged {
    /** Fails: who decided on the old values must decide again. */
    FAIL,
    /** Goes on from the row as it is: the values are made from what it has now, see {@link EditContext#current}. */
    REREAD
}
