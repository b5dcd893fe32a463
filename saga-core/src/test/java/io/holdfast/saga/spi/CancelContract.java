package io.holdfast.saga.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.Direction;
import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.Verdict;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cancel (protocol §6): what it flips, and what it answers where it cannot. */
interface CancelContract extends StoreUnderTest {
    @Test
    default void the_cancel_of_an_owned_saga_flips_state_and_direction_only() {
        owned("a");
        passTime(LEASE.plusMinutes(1));
        StoredSaga before =
                moved(Changes.failed(store().claimDue(order(NODE, 1)).get(0).saga()));

        assertThat(store().cancel(before.sagaId(), OTHER_NODE, "changed my mind"))
                .isEqualTo(Verdict.APPLIED);

        StoredSaga after = load(before.sagaId());
        assertThat(after.state()).isEqualTo(SagaState.COMPENSATING);
        assertThat(after.direction()).isEqualTo(Direction.BACKWARD);
        assertThat(after.lease()).isEqualTo(before.lease());
        assertThat(after.step()).isEqualTo(before.step());
        assertThat(after.attempts()).isEqualTo(1);
        assertTurnedBack(after);
    }

    @Test
    default void the_owner_of_a_cancelled_saga_is_stopped_by_its_next_guard() {
        StoredSaga before = owned("a");
        store().cancel(before.sagaId(), OTHER_NODE, "changed my mind");

        assertThat(store().move(
                                before.guard(),
                                NODE,
                                Changes.next(before, "second").change()))
                .isEmpty();
        assertThat(store().move(
                                load(before.sagaId()).guard(),
                                NODE,
                                Changes.of(load(before.sagaId())).change()))
                .isPresent();
    }

    @Test
    default void the_cancel_of_an_unowned_saga_makes_it_due_under_another_run_seq() {
        owned("a");
        passTime(LEASE.plusMinutes(1));
        StoredSaga before = store().claimDue(order(NODE, 1)).get(0).saga();
        before = moved(Changes.parked(moved(Changes.failed(before)), Duration.ofDays(1)));
        assertThat(before.takeovers()).isEqualTo(1);

        assertThat(store().cancel(before.sagaId(), OTHER_NODE, "changed my mind"))
                .isEqualTo(Verdict.APPLIED);

        StoredSaga after = load(before.sagaId());
        assertThat(after.state()).isEqualTo(SagaState.COMPENSATING);
        assertThat(after.direction()).isEqualTo(Direction.BACKWARD);
        assertThat(after.owner()).isEmpty();
        assertDueIn(after, Duration.ZERO);
        assertThat(after.runSeq()).isEqualTo(before.runSeq() + 1);
        assertThat(after.takeovers()).isZero();
        assertThat(after.attempts()).isEqualTo(1);
        assertTurnedBack(after);
        assertThat(store().claimDue(order(OTHER_NODE, 1))).hasSize(1);
    }

    @Test
    default void a_second_cancel_changes_nothing() {
        UUID id = owned("a").sagaId();
        store().cancel(id, NODE, "changed my mind");
        StoredSaga before = load(id);

        assertThat(store().cancel(id, NODE, "really")).isEqualTo(Verdict.ALREADY);

        assertUntouched(before);
        assertThat(kinds(id)).containsExactly(Kind.STARTED, Kind.TURNED_BACK);
    }

    @Test
    default void of_many_cancels_one_applies() {
        UUID id = unowned("a").sagaId();

        var verdicts = Together.run(8, i -> store().cancel(id, "node-" + i, "changed my mind"));

        assertThat(verdicts).containsOnlyOnce(Verdict.APPLIED).containsOnly(Verdict.APPLIED, Verdict.ALREADY);
        assertThat(load(id).runSeq()).isEqualTo(1);
        assertThat(kinds(id)).containsExactly(Kind.STARTED, Kind.TURNED_BACK);
    }

    @Test
    default void while_the_pivot_is_asked_nobody_can_say() {
        StoredSaga before = moved(Changes.of(owned("a")).pivot(Pivot.BEGUN));

        assertThat(store().cancel(before.sagaId(), NODE, "changed my mind")).isEqualTo(Verdict.UNDECIDED);
        assertUntouched(before);
    }

    @Test
    default void after_the_pivot_it_is_too_late() {
        StoredSaga before = moved(Changes.next(owned("a"), "second").pivot(Pivot.PASSED));

        assertThat(store().cancel(before.sagaId(), NODE, "changed my mind")).isEqualTo(Verdict.TOO_LATE);
        assertUntouched(before);
    }

    @ParameterizedTest
    @EnumSource(names = {"STUCK", "COMPLETED"})
    default void what_has_ended_or_is_stuck_is_not_cancelled(SagaState end) {
        StoredSaga before = moved(Changes.ended(owned("a"), end));

        assertThat(store().cancel(before.sagaId(), NODE, "changed my mind")).isEqualTo(Verdict.TOO_LATE);
        assertUntouched(before);
        assertThat(kinds(before.sagaId())).doesNotContain(Kind.TURNED_BACK);
    }

    @Test
    default void what_is_compensated_is_not_cancelled_again() {
        StoredSaga before = moved(Changes.ended(moved(Changes.turnedBack(owned("a"))), SagaState.COMPENSATED));

        assertThat(store().cancel(before.sagaId(), NODE, "changed my mind")).isIn(Verdict.ALREADY, Verdict.TOO_LATE);
        assertUntouched(before);
    }

    @Test
    default void nobody_can_cancel_what_is_not_there() {
        assertThat(store().cancel(UUID.randomUUID(), NODE, "changed my mind")).isEqualTo(Verdict.NOT_FOUND);
    }

    private void assertTurnedBack(StoredSaga saga) {
        StoredEntry entry = lastEntry(saga.sagaId());
        assertThat(entry.kind()).isEqualTo(Kind.TURNED_BACK);
        assertThat(entry.direction()).isEqualTo(Direction.BACKWARD);
        assertThat(entry.node()).isEqualTo(OTHER_NODE);
        assertThat(entry.note().orElseThrow()).contains("changed my mind");
    }
}
