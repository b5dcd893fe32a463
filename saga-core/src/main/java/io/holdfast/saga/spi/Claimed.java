package io.holdfast.saga.spi;

/**
 * A saga that this node drives from now on.
 *
 * @param saga the saga after the claim
 * @param from what it was before
 */
public record Claimed(StoredSaga saga, From from) {
    /** What it was before. */
    public enum From {
        /** Unowned and due. */
        PARKED,
        /** Owned by a node whose lease had expired; a TAKEN_OVER entry was appended in the same statement. */
        EXPIRED
    }
}
