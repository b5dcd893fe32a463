package io.holdfast.saga.internal;

import io.holdfast.saga.JournalEntry;
import io.holdfast.saga.SagaListener;
import io.holdfast.saga.SagaSnapshot;
import java.io.Serial;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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

    private static final int MAX_UNCOMMITTED = 10_000;

    private final List<SagaListener> listeners;
    private final Map<UUID, List<CompletableFuture<Boolean>>> waiters = new ConcurrentHashMap<>();

    /** Bounded, since nobody tells of transactions that are rolled back. */
    private final Map<UUID, Boolean> uncommitted = new LinkedHashMap<>() {
        @Serial
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, Boolean> eldest) {
            return size() > MAX_UNCOMMITTED;
        }
    };

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

    /** A saga was stored in a transaction of the caller's, which may yet be rolled back: told when it is seen to be there. */
    void storedInTransaction(UUID sagaId) {
        synchronized (uncommitted) {
            uncommitted.put(sagaId, true);
        }
    }

    /** The first entry of a saga that this node drives for the first time. */
    void committed(SagaSnapshot saga, JournalEntry started) {
        boolean untold;
        synchronized (uncommitted) {
            untold = uncommitted.remove(saga.sagaId()) != null;
        }
        if (untold) {
            entry(saga, started);
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
