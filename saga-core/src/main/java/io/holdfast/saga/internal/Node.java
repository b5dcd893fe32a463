package io.holdfast.saga.internal;

import io.holdfast.saga.JournalEntry;
import io.holdfast.saga.spi.SagaStore;
import java.time.Duration;
import java.util.UUID;

/** What everything on one node shares. */
record Node(Settings settings, SagaStore store, Payloads payloads, Announcements announcements, Waiting waiting) {
    String owner() {
        return settings.owner();
    }

    Duration lease() {
        return settings.lease();
    }

    /** An error, fit to be stored. */
    String describe(Throwable error) {
        String text;
        try {
            text = store.describe(error);
        } catch (RuntimeException | Error e) {
            text = error.getClass().getName();
        }
        return Texts.storable(text.isEmpty() ? error.getClass().getName() : text, 4000);
    }

    /** Tells listeners of the last entry of a kind, which was written without this node driving the saga. */
    void announceLast(UUID sagaId, JournalEntry.Kind kind) {
        if (!announcements.hasListeners()) {
            return;
        }
        store.load(sagaId)
                .ifPresent(saga -> store.journal(sagaId).stream()
                        .filter(entry -> entry.kind() == kind)
                        .reduce((first, second) -> second)
                        .ifPresent(entry -> announcements.entry(saga, entry)));
    }
}
