package io.holdfast.saga.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.JournalEntry.Kind;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** What the contract needs of the store that it checks, and how its tests speak to it. */
public interface StoreUnderTest {
    String NODE = "node-a-1";
    String OTHER_NODE = "node-b-1";
    Duration LEASE = Duration.ofMinutes(10);

    /** A real clock runs while a test does; nothing here is decided by less. */
    Duration TOLERANCE = Duration.ofMinutes(1);

    /** The store, empty at the beginning of a test and the same throughout it. Tests use it from several threads. */
    SagaStore store();

    /** Moves the store's time on: leases run down, parked sagas become due. A database's rows may be moved back instead. */
    void passTime(Duration time);

    default StoredSaga load(UUID sagaId) {
        return store().load(sagaId).orElseThrow();
    }

    default StoredSaga owned(NewSaga saga) {
        return store().insertOwned(saga, NODE, LEASE).saga();
    }

    default StoredSaga owned(String key) {
        return owned(Samples.saga(key));
    }

    default StoredSaga unowned(String key) {
        return store().insertUnowned(Samples.saga(key), NODE, null).saga();
    }

    default Moved move(Changes changes) {
        return store().move(changes.guard(), NODE, changes.change()).orElseThrow();
    }

    /** Moves it, and reads where it is then. */
    default StoredSaga moved(Changes changes) {
        move(changes);
        return load(changes.guard().sagaId());
    }

    default ClaimOrder order(String owner, int atMost) {
        return new ClaimOrder(owner, LEASE, List.of(Samples.DEFINITION), atMost);
    }

    default List<Kind> kinds(UUID sagaId) {
        return store().journal(sagaId).stream().map(StoredEntry::kind).toList();
    }

    default StoredEntry lastEntry(UUID sagaId) {
        List<StoredEntry> journal = store().journal(sagaId);
        return journal.get(journal.size() - 1);
    }

    default void assertDueIn(StoredSaga saga, Duration expected) {
        assertThat(Duration.between(saga.readAt(), saga.dueAt().orElseThrow()))
                .isBetween(expected.minus(TOLERANCE), expected.plus(TOLERANCE));
    }

    /** Everything of the row but the moment it was read at. */
    default void assertUntouched(StoredSaga before) {
        assertThat(load(before.sagaId()))
                .usingRecursiveComparison()
                .ignoringFields("readAt")
                .isEqualTo(before);
    }

    default void assertNumberedWithoutGaps(UUID sagaId) {
        List<Long> numbers =
                store().journal(sagaId).stream().map(StoredEntry::seq).toList();
        for (int i = 0; i < numbers.size(); i++) {
            assertThat(numbers.get(i)).isEqualTo(i + 1L);
        }
    }
}
