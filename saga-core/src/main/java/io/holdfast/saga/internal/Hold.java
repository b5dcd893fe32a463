package io.holdfast.saga.internal;

import io.holdfast.saga.spi.Holding;
import io.holdfast.saga.spi.StoreTransaction;
import java.time.Duration;

/**
 * What one step takes and another gives back: locked rows, or a reserved quantity. The step that takes journals a receipt, from which
 * everything here works, also on another node.
 */
public interface Hold extends Resource {
    /**
     * Makes sure, in the transaction that begins or passes the pivot, that it is still held, and lasts from there on.
     *
     * @throws io.holdfast.saga.RejectionException when it is not held any more
     */
    void assertHeld(StoreTransaction transaction, Holding holding);

    /** Whether it marks rows with a deadline that is renewed while a node drives the saga, and extended when it is parked. */
    default boolean isRenewed() {
        return true;
    }

    /** Extends the deadline of the rows still held so that it is at least so far away. */
    default void extend(StoreTransaction transaction, Holding holding, Duration atLeast) {}

    /** Whether another saga may take the rows from a running holder: then local steps and undos assert them. */
    default boolean mayBeTakenOver() {
        return false;
    }
}
