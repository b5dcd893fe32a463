package io.holdfast.saga.memory;

import io.holdfast.saga.spi.NewEntry;
import io.holdfast.saga.spi.StoredEntry;
import io.holdfast.saga.spi.StoredSaga;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A saga and its journal. Guarded by the store's lock. */
final class MemoryRow {
    private StoredSaga saga;
    private final List<StoredEntry> journal = new ArrayList<>();

    MemoryRow(StoredSaga saga) {
        this.saga = saga;
    }

    StoredSaga saga() {
        return saga;
    }

    /** As a reader sees it at this moment. */
    StoredSaga read(Instant now) {
        return new StoredSaga(saga.origin(), saga.position(), saga.lease(), saga.error(), now);
    }

    List<StoredEntry> journal() {
        return List.copyOf(journal);
    }

    void become(StoredSaga next) {
        saga = next;
    }

    long append(Instant now, long runSeq, String node, List<NewEntry> entries) {
        for (NewEntry entry : entries) {
            journal.add(new StoredEntry(journal.size() + 1L, now, runSeq, node, entry));
        }
        return journal.size();
    }
}
