package io.holdfast.saga.internal;

import io.holdfast.saga.spi.Holding;
import io.holdfast.saga.spi.StoreTransaction;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Business rows that one step takes and another gives back: what the engine must know of a semantic lock. The step that takes
 * journals a receipt, from which everything here works, also on another node.
 */
public interface Resource {
    /** The same object for the step that takes and the step that gives back. */
    Object token();

    /** For messages and the definition's hash: the table. */
    String table();

    /** How long the rows are locked from their claim on; null: until the saga's deadline. */
    @Nullable
    Duration lockedFor();

    /** Whether another saga may take the rows from a running holder: then local steps and undos assert them. */
    boolean mayBeTakenOver();

    /**
     * Makes sure the rows are held, and extends their deadline.
     *
     * @throws io.holdfast.saga.LockLostException when one of them is not
     */
    void assertHeld(StoreTransaction transaction, Holding holding);

    /** Extends the deadline of the rows still held so that it is at least so far away. */
    void extend(StoreTransaction transaction, Holding holding, Duration atLeast);
}
