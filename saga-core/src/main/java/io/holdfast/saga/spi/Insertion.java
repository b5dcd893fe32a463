package io.holdfast.saga.spi;

/**
 * The answer to an insert.
 *
 * @param kind whether the saga is new
 * @param saga the saga as it is now
 */
public record Insertion(Kind kind, StoredSaga saga) {
    /** Whether the saga is new. */
    public enum Kind {
        /** Stored by this call. */
        INSERTED,
        /** There before. */
        FOUND
    }
}
