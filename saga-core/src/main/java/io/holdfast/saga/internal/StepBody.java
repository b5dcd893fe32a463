package io.holdfast.saga.internal;

import io.holdfast.saga.spi.StoreTransaction;
import org.jspecify.annotations.Nullable;

/** A step's action as the engine calls it. */
@FunctionalInterface
public interface StepBody<D> {
    /** Works; the transaction is there for local steps on a database only. Returns the result, null for steps without one. */
    @Nullable
    Object run(EngineContext<D> ctx, @Nullable StoreTransaction transaction) throws Exception;
}
