package io.holdfast.saga.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.Direction;
import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.spi.SagaStore.OperatorAction;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The journal: everything in it, in order, numbered without gaps, whoever writes. */
interface JournalContract extends StoreUnderTest {
    @Test
    default void an_entry_is_read_as_it_was_written() {
        StoredSaga saga = owned("a");
        NewEntry entry = NewEntry.of(Kind.STEP_FAILED, "first", Direction.FORWARD)
                .attempt(3)
                .result("{\"id\": \"r-1\"}")
                .error("it said \"no\"")
                .note("by nobody");

        Moved moved = move(Changes.of(saga).attempts(1).entry(entry));

        StoredEntry stored = lastEntry(saga.sagaId());
        assertThat(stored.entry()).isEqualTo(entry);
        assertThat(stored.seq()).isEqualTo(moved.logSeq()).isEqualTo(2);
        assertThat(stored.runSeq()).isEqualTo(1);
        assertThat(stored.node()).isEqualTo(NODE);
        assertThat(stored.at()).isBetween(saga.createdAt(), load(saga.sagaId()).readAt());
    }

    @Test
    default void an_entry_may_say_next_to_nothing() {
        StoredSaga saga = owned("a");
        NewEntry entry = NewEntry.of(Kind.OPERATOR, null, Direction.FORWARD);

        move(Changes.of(saga).entry(entry));

        assertThat(lastEntry(saga.sagaId()).entry()).isEqualTo(entry);
    }

    @ParameterizedTest
    @EnumSource
    default void every_kind_can_be_written(Kind kind) {
        StoredSaga saga = owned("a");

        move(Changes.of(saga).entry(kind));

        assertThat(lastEntry(saga.sagaId()).kind()).isEqualTo(kind);
    }

    @Test
    default void entries_of_one_move_stay_in_order() {
        StoredSaga saga = owned("a");

        Moved moved = move(Changes.next(saga, "third")
                .entry(NewEntry.of(Kind.STEP_SKIPPED, "second", Direction.FORWARD))
                .entry(NewEntry.of(Kind.PARKED, "third", Direction.FORWARD)));

        assertThat(moved.logSeq()).isEqualTo(4);
        assertThat(kinds(saga.sagaId())).containsExactly(Kind.STARTED, Kind.STEP_DONE, Kind.STEP_SKIPPED, Kind.PARKED);
        assertNumberedWithoutGaps(saga.sagaId());
    }

    @Test
    default void a_move_without_entries_keeps_the_number() {
        StoredSaga saga = owned("a");

        assertThat(move(Changes.of(saga).attempts(1)).logSeq()).isEqualTo(1);
        assertThat(kinds(saga.sagaId())).containsExactly(Kind.STARTED);
    }

    @Test
    default void numbers_have_no_gaps_whoever_writes() {
        UUID id = unowned("a").sagaId();
        store().claimDue(order(NODE, 1));
        passTime(LEASE.plusMinutes(1));
        StoredSaga saga = store().claim(id, order(OTHER_NODE, 1)).orElseThrow().saga();
        store().move(Samples.wrong(saga), NODE, Changes.next(saga, "second").change());
        store().append(id, NODE, 1, NewEntry.of(Kind.LATE, "first", Direction.FORWARD));
        store().cancel(id, NODE, "enough");
        move(Changes.ended(load(id), SagaState.STUCK));
        store().operate(id, OperatorAction.RETRY, "somebody: try again");

        assertThat(kinds(id))
                .containsExactly(Kind.STARTED, Kind.TAKEN_OVER, Kind.LATE, Kind.TURNED_BACK, Kind.STUCK, Kind.OPERATOR);
        assertNumberedWithoutGaps(id);
    }

    @Test
    default void what_comes_late_is_appended_and_changes_nothing_else() {
        StoredSaga before = moved(Changes.ended(owned("a"), SagaState.COMPLETED));
        NewEntry late = NewEntry.of(Kind.LATE, "first", Direction.FORWARD).result("7");

        store().append(before.sagaId(), OTHER_NODE, 0, late);

        StoredEntry stored = lastEntry(before.sagaId());
        assertThat(stored.entry()).isEqualTo(late);
        assertThat(stored.runSeq()).isZero();
        assertThat(stored.node()).isEqualTo(OTHER_NODE);
        assertUntouched(before);
        assertNumberedWithoutGaps(before.sagaId());
    }

    @Test
    default void writers_at_one_moment_leave_no_gap() {
        UUID id = owned("a").sagaId();

        Together.run(8, i -> {
            store().append(id, "node-" + i, 1, NewEntry.of(Kind.LATE, "first", Direction.FORWARD));
            return i;
        });

        assertThat(store().journal(id)).hasSize(9);
        assertNumberedWithoutGaps(id);
    }

    @Test
    default void an_error_is_described_with_its_class_and_message() {
        assertThat(store().describe(new IllegalStateException("broken"))).contains("IllegalStateException", "broken");
        assertThat(store().describe(new IllegalStateException())).contains("IllegalStateException");
    }

    @Test
    default void an_error_that_cannot_speak_is_described_by_its_class() {
        assertThat(store().describe(new Mute())).contains("Mute");
    }

    /** Fails even to say what failed. */
    @SuppressWarnings("serial") // never serialised
    final class Mute extends RuntimeException {
        @Override
        public String getMessage() {
            throw new IllegalStateException("mute");
        }
    }
}
