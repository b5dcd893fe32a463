package io.holdfast.saga.internal;

import io.holdfast.saga.JournalEntry;
import io.holdfast.saga.SagaListener;
import io.holdfast.saga.SagaSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells listeners what was committed, and whoever waits on this node that a saga has come to an end. */
final class Announcements {
    private static final Logger LOG = LoggerFactory.getLogger(Announcements.class);

    private final List<SagaListener> listeners;
    private final Map<UUID, List<CompletableFuture<Boolean>>> waiters = new ConcurrentHashMap<>();

    Announcements(List<SagaListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    boolean hasListeners() {
        return !listeners.isEmpty();
    }

    /** A listener can never break the engine. */
    void entry(SagaSnapshot saga, JournalEntry entry) {
        for (SagaListener listener : listeners) {
            try {
                listener.onEntry(saga, entry);
            } catch (Throwable e) {
                LOG.warn("A listener failed at entry {} of {}; the saga goes on", entry.seq(), saga, e);
            }
        }
    }

    /** A future that completes when this node ends the saga; to be given back. */
    CompletableFuture<Boolean> wait(UUID sagaId) {
        CompletableFuture<Boolean> future = new CompletableFuture<>();
        waiters.compute(sagaId, (id, known) -> {
            List<CompletableFuture<Boolean>> all = known == null ? new ArrayList<>() : known;
            all.add(future);
            return all;
        });
        return future;
    }

    void giveBack(UUID sagaId, CompletableFuture<Boolean> future) {
        waiters.computeIfPresent(sagaId, (id, known) -> {
            known.removeIf(one -> one == future);
            return known.isEmpty() ? null : known;
        });
    }

    void ended(UUID sagaId) {
        waiters.computeIfPresent(sagaId, (id, known) -> {
            known.forEach(future -> future.complete(true));
            return known;
        });
    }
}
