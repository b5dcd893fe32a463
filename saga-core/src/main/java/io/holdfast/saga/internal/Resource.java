package io.holdfast.saga.internal;

/** Business rows that a step works on, as far as the definition's rules and its hash must know them. */
public interface Resource {
    /** The same object for the step that takes and the step that gives back. */
    Object token();

    /** For messages and the definition's hash: the table. */
    String table();
}
