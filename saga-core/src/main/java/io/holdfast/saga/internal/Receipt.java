package io.holdfast.saga.internal;

/**
 * The result of a step that takes rows: JSON that only the library reads, stored as it is, whatever codec the application uses.
 *
 * @param json a JSON object
 */
public record Receipt(String json) {}
