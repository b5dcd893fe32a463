package io.holdfast.saga.jdbc.protocol;

import io.holdfast.saga.JournalEntry;
import io.holdfast.saga.SagaListener;
import io.holdfast.saga.SagaSnapshot;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what a node told its listeners. Threadsafe. */
final class Heard implements SagaListener {
    private final List<One> all = new CopyOnWriteArrayList<>();

    /** An entry, the saga's state as it was told with it, and the thread that told it. */
    record One(UUID sagaId, JournalEntry entry, SagaSnapshot saga, Thread thread) {}

    @Override
    public void onEntry(SagaSnapshot saga, JournalEntry entry) {
        all.add(new One(saga.sagaId(), entry, saga, Thread.currentThread()));
    }

    List<One> all() {
        return List.copyOf(all);
    }

    /** The numbers of the entries heard of a saga, in the order in which they were. */
    List<Long> numbers(UUID sagaId) {
        return all.stream()
                .filter(one -> one.sagaId().equals(sagaId))
                .map(one -> one.entry().seq())
                .toList();
    }
}
