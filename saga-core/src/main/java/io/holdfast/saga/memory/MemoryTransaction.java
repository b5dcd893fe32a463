package io.holdfast.saga.memory;

import io.holdfast.saga.spi.StoreTransaction;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** What a local step's attempt has stored and nobody sees yet: the sagas that it started. */
final class MemoryTransaction implements StoreTransaction {
    private final Map<UUID, MemoryRow> inserted = new LinkedHashMap<>();
    private volatile boolean aborted;

    Map<UUID, MemoryRow> inserted() {
        return inserted;
    }

    void abort() {
        aborted = true;
    }

    boolean isAborted() {
        return aborted;
    }
}
