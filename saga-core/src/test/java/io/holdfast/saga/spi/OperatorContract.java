package io.holdfast.saga.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.Direction;
import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.Verdict;
import io.holdfast.saga.spi.SagaStore.OperatorAction;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What operators can do with a stuck saga, and what they are told where they cannot. */
interface OperatorContract extends StoreUnderTest {
    @Test
    default void a_retry_keeps_the_way_forward() {
        StoredSaga before = stuck(owned("a"));

        assertThat(store().operate(before.sagaId(), OperatorAction.RETRY, "eve: fixed it"))
                .isEqualTo(Verdict.APPLIED);

        assertGoesOn(before, SagaState.RUNNING, Direction.FORWARD);
    }

    @Test
    default void a_retry_keeps_the_way_back() {
        StoredSaga before = stuck(moved(Changes.turnedBack(owned("a"))));

        assertThat(store().operate(before.sagaId(), OperatorAction.RETRY, "eve: fixed it"))
                .isEqualTo(Verdict.APPLIED);

        assertGoesOn(before, SagaState.COMPENSATING, Direction.BACKWARD);
    }

    @ParameterizedTest
    @EnumSource(names = {"BEGUN", "PASSED"})
    default void a_retry_is_possible_whatever_the_pivot(Pivot pivot) {
        StoredSaga before = stuck(moved(Changes.of(owned("a")).pivot(pivot)));

        assertThat(store().operate(before.sagaId(), OperatorAction.RETRY, "eve: fixed it"))
                .isEqualTo(Verdict.APPLIED);

        assertGoesOn(before, SagaState.RUNNING, Direction.FORWARD);
        assertThat(load(before.sagaId()).pivot()).isEqualTo(pivot);
    }

    @Test
    default void before_the_pivot_a_stuck_saga_can_be_turned_back() {
        StoredSaga before = stuck(owned("a"));

        assertThat(store().operate(before.sagaId(), OperatorAction.TURN_BACK, "eve: fixed it"))
                .isEqualTo(Verdict.APPLIED);

        assertGoesOn(before, SagaState.COMPENSATING, Direction.BACKWARD);
    }

    @ParameterizedTest
    @EnumSource(names = {"BEGUN", "PASSED"})
    default void from_the_pivot_on_nothing_is_turned_back(Pivot pivot) {
        StoredSaga before = stuck(moved(Changes.of(owned("a")).pivot(pivot)));

        assertThat(store().operate(before.sagaId(), OperatorAction.TURN_BACK, "eve: fixed it"))
                .isEqualTo(Verdict.TOO_LATE);
        assertUntouched(before);
    }

    @ParameterizedTest
    @EnumSource
    default void what_goes_on_is_left_alone(OperatorAction action) {
        StoredSaga running = owned("a");
        StoredSaga parked = moved(Changes.parked(owned("b"), Duration.ofHours(1)));
        StoredSaga goingBack = moved(Changes.turnedBack(owned("c")));

        assertThat(store().operate(running.sagaId(), action, "eve: fixed it")).isEqualTo(Verdict.ALREADY);
        assertThat(store().operate(parked.sagaId(), action, "eve: fixed it")).isEqualTo(Verdict.ALREADY);
        assertThat(store().operate(goingBack.sagaId(), action, "eve: fixed it")).isEqualTo(Verdict.ALREADY);
        assertUntouched(running);
        assertUntouched(parked);
        assertUntouched(goingBack);
    }

    @ParameterizedTest
    @EnumSource
    default void what_has_ended_is_left_alone(OperatorAction action) {
        StoredSaga completed = moved(Changes.ended(owned("a"), SagaState.COMPLETED));
        StoredSaga compensated = moved(Changes.ended(moved(Changes.turnedBack(owned("b"))), SagaState.COMPENSATED));

        assertThat(store().operate(completed.sagaId(), action, "eve: fixed it")).isEqualTo(Verdict.TOO_LATE);
        assertThat(store().operate(compensated.sagaId(), action, "eve: fixed it"))
                .isEqualTo(Verdict.TOO_LATE);
        assertUntouched(completed);
        assertUntouched(compensated);
    }

    @ParameterizedTest
    @EnumSource
    default void nobody_can_operate_what_is_not_there(OperatorAction action) {
        assertThat(store().operate(UUID.randomUUID(), action, "eve: fixed it")).isEqualTo(Verdict.NOT_FOUND);
    }

    @Test
    default void of_many_operators_one_acts() {
        UUID id = stuck(owned("a")).sagaId();

        var verdicts = Together.run(8, i -> store().operate(id, OperatorAction.RETRY, "eve: fixed it"));

        assertThat(verdicts).containsOnlyOnce(Verdict.APPLIED).containsOnly(Verdict.APPLIED, Verdict.ALREADY);
        assertThat(kinds(id)).containsExactly(Kind.STARTED, Kind.STEP_FAILED, Kind.STUCK, Kind.OPERATOR);
    }

    private StoredSaga stuck(StoredSaga saga) {
        return moved(Changes.ended(moved(Changes.failed(saga)), SagaState.STUCK));
    }

    private void assertGoesOn(StoredSaga before, SagaState state, Direction direction) {
        StoredSaga after = load(before.sagaId());
        assertThat(after.state()).isEqualTo(state);
        assertThat(after.direction()).isEqualTo(direction);
        assertThat(after.owner()).isEmpty();
        assertDueIn(after, Duration.ZERO);
        assertThat(after.runSeq()).isEqualTo(before.runSeq() + 1);
        assertThat(after.step()).isEqualTo(before.step());
        assertThat(after.attempts()).isZero();
        assertThat(after.takeovers()).isZero();
        StoredEntry entry = lastEntry(after.sagaId());
        assertThat(entry.kind()).isEqualTo(Kind.OPERATOR);
        assertThat(entry.direction()).isEqualTo(direction);
        assertThat(entry.note()).contains("eve: fixed it");
        assertThat(store().claimDue(order(OTHER_NODE, 5)))
                .extracting(c -> c.saga().sagaId())
                .containsExactly(after.sagaId());
    }
}
