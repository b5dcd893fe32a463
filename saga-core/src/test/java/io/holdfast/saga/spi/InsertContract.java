package io.holdfast.saga.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.Direction;
import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.SagaState;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Start: what is stored, and that it is stored once. */
interface InsertContract extends StoreUnderTest {
    @Test
    default void a_saga_started_with_a_free_slot_is_driven_by_its_node() {
        StoredSaga saga = owned("a");

        assertThat(saga.owner()).contains(NODE);
        assertThat(saga.runSeq()).isEqualTo(1);
        assertDueIn(saga, LEASE);
        assertUntouched(saga);
    }

    @Test
    default void a_saga_started_without_a_slot_is_driven_by_nobody_and_due_now() {
        StoredSaga saga = unowned("a");

        assertThat(saga.owner()).isEmpty();
        assertThat(saga.runSeq()).isZero();
        assertDueIn(saga, Duration.ZERO);
        assertUntouched(saga);
        assertThat(store().claimDue(order(OTHER_NODE, 1))).hasSize(1);
    }

    @Test
    default void a_new_saga_stands_at_its_first_step() {
        StoredSaga saga = owned("a");

        assertThat(saga.state()).isEqualTo(SagaState.RUNNING);
        assertThat(saga.direction()).isEqualTo(Direction.FORWARD);
        assertThat(saga.pivot()).isEqualTo(Pivot.NONE);
        assertThat(saga.step()).isEqualTo("first");
        assertThat(saga.attempts()).isZero();
        assertThat(saga.takeovers()).isZero();
        assertThat(saga.lastError()).isEmpty();
        assertThat(saga.position().stepAt()).isEqualTo(saga.createdAt());
    }

    @Test
    default void what_never_changes_is_read_as_it_was_given() {
        NewSaga given = Samples.saga("a", Duration.ofHours(1));

        StoredSaga.Origin origin = owned(given).origin();

        assertThat(origin.sagaId()).isEqualTo(given.sagaId());
        assertThat(origin.definition()).isEqualTo(given.definition());
        assertThat(origin.businessKey()).isEqualTo("a");
        assertThat(origin.identity()).isEqualTo(given.identity());
        assertThat(origin.incarnation()).isEqualTo(given.incarnation());
        assertThat(origin.data()).isEqualTo(given.data());
        assertThat(origin.deadlineAt()).isEqualTo(origin.createdAt().plus(Duration.ofHours(1)));
    }

    @Test
    default void a_saga_without_a_deadline_has_none() {
        assertThat(owned("a").deadlineAt()).isEmpty();
    }

    @Test
    default void the_journal_begins_with_the_start() {
        UUID owned = owned("a").sagaId();
        UUID unowned = unowned("b").sagaId();

        StoredEntry first = lastEntry(owned);
        assertThat(first.seq()).isEqualTo(1);
        assertThat(first.kind()).isEqualTo(Kind.STARTED);
        assertThat(first.node()).isEqualTo(NODE);
        assertThat(first.runSeq()).isEqualTo(1);
        assertThat(first.direction()).isEqualTo(Direction.FORWARD);
        assertThat(lastEntry(unowned).runSeq()).isZero();
        assertThat(lastEntry(unowned).node()).isEqualTo(NODE);
    }

    @Test
    default void a_saga_started_again_is_found_as_it_stands() {
        StoredSaga before = moved(Changes.next(owned("a"), "second"));

        Insertion owned = store().insertOwned(Samples.saga("a"), OTHER_NODE, LEASE);
        Insertion unowned = store().insertUnowned(Samples.saga("a"), OTHER_NODE, null);

        assertThat(owned.kind()).isEqualTo(Insertion.Kind.FOUND);
        assertThat(unowned.kind()).isEqualTo(Insertion.Kind.FOUND);
        assertThat(owned.saga().origin()).isEqualTo(before.origin());
        assertThat(unowned.saga().position()).isEqualTo(before.position());
        assertUntouched(before);
        assertThat(kinds(before.sagaId())).containsExactly(Kind.STARTED, Kind.STEP_DONE);
    }

    @Test
    default void of_many_starts_with_one_key_one_stores_it() {
        var kinds = Together.run(
                8,
                i -> i % 2 == 0
                        ? store().insertOwned(Samples.saga("a"), NODE, LEASE).kind()
                        : store().insertUnowned(Samples.saga("a"), NODE, null).kind());

        assertThat(kinds).containsOnlyOnce(Insertion.Kind.INSERTED).hasSize(8);
        assertThat(kinds(Samples.saga("a").sagaId())).containsExactly(Kind.STARTED);
    }

    @Test
    default void what_is_not_there_is_not_found() {
        assertThat(store().load(UUID.randomUUID())).isEmpty();
        assertThat(store().journal(UUID.randomUUID())).isEmpty();
    }
}
