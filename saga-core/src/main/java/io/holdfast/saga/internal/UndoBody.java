package io.holdfast.saga.internal;

import io.holdfast.saga.spi.StoreTransaction;
import org.jspecify.annotations.Nullable;

/** A step's compensation as the engine calls it. */
@FunctionalInterface
public interface UndoBody<D> {
    /** Undoes what {@code known} says was done. */
    void undo(EngineContext<D> ctx, @Nullable StoreTransaction transaction, Known known) throws Exception;

    /**
     * What is known of the action.
     *
     * @param certain false when its outcome is in doubt
     * @param result its result; null when in doubt or when the step has none
     */
    record Known(boolean certain, @Nullable Object result) {}
}
