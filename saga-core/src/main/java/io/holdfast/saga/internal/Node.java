package io.holdfast.saga.internal;

import io.holdfast.saga.spi.SagaStore;
import java.time.Duration;

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
}
