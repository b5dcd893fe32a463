package io.holdfast.saga.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.Direction;
import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.SagaState;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rows of the transition table (protocol §2) that a driver makes: what they write and what they leave alone. */
interface MoveContract extends StoreUnderTest {
    @Test
    default void a_move_to_the_next_step_leaves_the_lease_alone() {
        StoredSaga before = takenOver("a");
        before = moved(Changes.failed(before));
        passTime(Duration.ofMinutes(5));

        StoredSaga after = moved(Changes.next(load(before.sagaId()), "second"));

        assertThat(after.owner()).isEqualTo(before.owner());
        assertThat(after.runSeq()).isEqualTo(before.runSeq());
        assertDueIn(after, LEASE.minusMinutes(5));
        assertThat(after.step()).isEqualTo("second");
        assertThat(after.attempts()).isZero();
        assertThat(after.takeovers()).isZero();
        assertStepBegan(after, Duration.ZERO);
    }

    @Test
    default void a_kept_lease_is_kept_to_the_instant() {
        StoredSaga before = owned("a");

        StoredSaga after = moved(Changes.next(before, "second"));

        assertThat(after.dueAt()).isEqualTo(before.dueAt());
    }

    @Test
    default void an_attempt_given_up_raises_run_seq_only() {
        StoredSaga before = takenOver("a");

        StoredSaga after = moved(Changes.failed(before).tenure(new Change.Raised()));

        assertThat(after.runSeq()).isEqualTo(before.runSeq() + 1);
        assertThat(after.owner()).isEqualTo(before.owner());
        assertThat(after.dueAt()).isEqualTo(before.dueAt());
        assertThat(after.attempts()).isEqualTo(1);
        assertThat(after.takeovers()).isEqualTo(1);
        assertThat(store().move(before.guard(), NODE, Changes.of(before).change()))
                .isEmpty();
    }

    @Test
    default void a_recorded_outcome_ends_the_count_of_takeovers() {
        StoredSaga before = takenOver("a");
        passTime(Duration.ofMinutes(5));

        StoredSaga after = moved(Changes.failed(before).counters(Change.Counters.OUTCOME));

        assertThat(after.attempts()).isEqualTo(1);
        assertThat(after.takeovers()).isZero();
        assertStepBegan(after, LEASE.plusMinutes(6));
    }

    @Test
    default void parking_gives_up_the_lease_and_keeps_the_rest() {
        StoredSaga before = takenOver("a");

        StoredSaga after = moved(Changes.parked(before, Duration.ofHours(1)));

        assertThat(after.owner()).isEmpty();
        assertDueIn(after, Duration.ofHours(1));
        assertThat(after.runSeq()).isEqualTo(before.runSeq());
        assertThat(after.takeovers()).isEqualTo(1);
        assertThat(after.position()).isEqualTo(before.position());
    }

    @Test
    default void a_saga_handed_back_is_due_now() {
        StoredSaga after = moved(Changes.parked(owned("a"), Duration.ZERO));

        assertThat(after.owner()).isEmpty();
        assertDueIn(after, Duration.ZERO);
        assertThat(store().claimDue(order(OTHER_NODE, 1))).hasSize(1);
    }

    @Test
    default void a_parked_saga_wakes_up_for_its_deadline() {
        StoredSaga saga = owned(Samples.saga("a", Duration.ofMinutes(30)));

        StoredSaga after = moved(Changes.parked(saga, Duration.ofHours(2)));

        assertThat(after.dueAt()).isEqualTo(after.deadlineAt());
    }

    @Test
    default void a_deadline_after_the_wake_up_changes_nothing() {
        StoredSaga saga = owned(Samples.saga("a", Duration.ofDays(1)));

        assertDueIn(moved(Changes.parked(saga, Duration.ofHours(2))), Duration.ofHours(2));
    }

    @Test
    default void the_deadline_does_not_wake_a_saga_that_goes_back() {
        StoredSaga saga = moved(Changes.turnedBack(owned(Samples.saga("a", Duration.ofMinutes(30)))));

        assertDueIn(moved(Changes.parked(saga, Duration.ofHours(2))), Duration.ofHours(2));
    }

    @ParameterizedTest
    @EnumSource(names = {"BEGUN", "PASSED"})
    default void the_deadline_does_not_wake_a_saga_whose_pivot_has_begun(Pivot pivot) {
        StoredSaga saga = owned(Samples.saga("a", Duration.ofMinutes(30)));
        saga = moved(Changes.of(saga).pivot(pivot));

        assertDueIn(moved(Changes.parked(saga, Duration.ofHours(2))), Duration.ofHours(2));
    }

    @ParameterizedTest
    @EnumSource(names = {"STUCK", "COMPLETED"})
    default void an_end_of_the_way_forward_is_never_due_and_keeps_its_counters(SagaState end) {
        StoredSaga before = moved(Changes.failed(takenOver("a")));

        StoredSaga after = moved(Changes.ended(before, end));

        assertEnded(before, after, end);
    }

    @ParameterizedTest
    @EnumSource(names = {"STUCK", "COMPENSATED"})
    default void an_end_of_the_way_back_is_never_due_and_keeps_its_counters(SagaState end) {
        StoredSaga before = moved(Changes.failed(moved(Changes.turnedBack(takenOver("a")))));

        StoredSaga after = moved(Changes.ended(before, end));

        assertEnded(before, after, end);
        assertThat(after.direction()).isEqualTo(Direction.BACKWARD);
    }

    @Test
    default void an_error_stays_until_another_one_is_recorded() {
        StoredSaga saga = moved(Changes.failed(owned("a")).error("the first"));
        saga = moved(Changes.next(saga, "second"));
        assertThat(saga.lastError()).contains("the first");

        assertThat(moved(Changes.failed(saga).error("the second")).lastError()).contains("the second");
    }

    @Test
    default void direction_and_pivot_go_where_the_change_says() {
        StoredSaga begun = moved(Changes.of(owned("a")).pivot(Pivot.BEGUN).entry(Kind.PIVOT_BEGUN));
        StoredSaga back = moved(Changes.turnedBack(owned("b")));

        assertThat(begun.pivot()).isEqualTo(Pivot.BEGUN);
        assertThat(back.state()).isEqualTo(SagaState.COMPENSATING);
        assertThat(back.direction()).isEqualTo(Direction.BACKWARD);
        assertThat(back.pivot()).isEqualTo(Pivot.NONE);
    }

    private StoredSaga takenOver(String key) {
        StoredSaga saga = owned(key);
        passTime(LEASE.plusMinutes(1));
        return store().claim(saga.sagaId(), order(OTHER_NODE, 1)).orElseThrow().saga();
    }

    private void assertStepBegan(StoredSaga saga, Duration ago) {
        assertThat(Duration.between(saga.position().stepAt(), saga.readAt()))
                .isBetween(ago.minus(TOLERANCE), ago.plus(TOLERANCE));
    }

    private void assertEnded(StoredSaga before, StoredSaga after, SagaState end) {
        assertThat(after.state()).isEqualTo(end);
        assertThat(after.owner()).isEmpty();
        assertThat(after.dueAt()).isEmpty();
        assertThat(after.runSeq()).isEqualTo(before.runSeq());
        assertThat(after.attempts()).isEqualTo(before.attempts());
        assertThat(after.takeovers()).isEqualTo(before.takeovers());
    }
}
