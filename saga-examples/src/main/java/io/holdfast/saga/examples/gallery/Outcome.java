package io.holdfast.saga.examples.gallery;

/**
 * What a performance came to.
 *
 * @param harmed whether the anomaly happened
 * @param what what was observed, in a few words
 */
public record Outcome(boolean harmed, String what) {}
