package io.holdfast.saga.internal;

import io.holdfast.saga.spi.StoreTransaction;
import java.util.List;

/** Reads again, locking what it reads, what a step remembered. */
@FunctionalInterface
public interface Reread<D> {
    /** What differs from the remembered result, in words for people; nothing when it is the same. */
    List<String> differences(EngineContext<D> ctx, StoreTransaction transaction, String remembered) throws Exception;
}
