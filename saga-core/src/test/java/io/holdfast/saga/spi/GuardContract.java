package io.holdfast.saga.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.SagaState;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The fence: a change whose guard does not match in every part affects nothing (protocol §3). */
interface GuardContract extends StoreUnderTest {
    /** Each part of a guard, made wrong alone. */
    @SuppressWarnings("ImmutableEnumChecker") // the functions keep no state
    enum Wrong {
        SAGA(g -> new Guard(UUID.randomUUID(), g.runSeq(), g.state(), g.step(), g.attempts())),
        OLDER_RUN(g -> new Guard(g.sagaId(), g.runSeq() - 1, g.state(), g.step(), g.attempts())),
        LATER_RUN(g -> new Guard(g.sagaId(), g.runSeq() + 1, g.state(), g.step(), g.attempts())),
        STATE(g -> new Guard(g.sagaId(), g.runSeq(), SagaState.COMPENSATING, g.step(), g.attempts())),
        STEP(g -> new Guard(g.sagaId(), g.runSeq(), g.state(), "zeroth", g.attempts())),
        ATTEMPTS(g -> new Guard(g.sagaId(), g.runSeq(), g.state(), g.step(), g.attempts() + 1));

        private final UnaryOperator<Guard> twist;

        Wrong(UnaryOperator<Guard> twist) {
            this.twist = twist;
        }

        Guard of(StoredSaga saga) {
            return twist.apply(saga.guard());
        }
    }

    @ParameterizedTest
    @EnumSource
    default void a_move_with_a_wrong_guard_changes_nothing(Wrong wrong) {
        StoredSaga before = moved(Changes.failed(owned("a")));
        Change change = Changes.next(before, "second").error("never").change();

        assertThat(store().move(wrong.of(before), NODE, change)).isEmpty();

        assertUntouched(before);
        assertThat(kinds(before.sagaId())).containsExactly(Kind.STARTED, Kind.STEP_FAILED);
    }

    @ParameterizedTest
    @EnumSource
    default void a_local_step_with_a_wrong_guard_changes_nothing(Wrong wrong) throws Exception {
        StoredSaga before = moved(Changes.failed(owned("a")));
        NewSaga written = Samples.saga("written");

        var applied = store().moveWith(wrong.of(before), NODE, Attempts.of(transaction -> {
            store().insertUnowned(written, NODE, transaction);
            return Changes.next(before, "second").change();
        }));

        assertThat(applied).isEmpty();
        assertUntouched(before);
        assertThat(kinds(before.sagaId())).containsExactly(Kind.STARTED, Kind.STEP_FAILED);
        assertThat(store().load(written.sagaId())).isEmpty();
    }

    @Test
    default void a_move_made_twice_is_made_once() {
        StoredSaga saga = owned("a");
        Changes changes = Changes.next(saga, "second");
        move(changes);

        assertThat(store().move(changes.guard(), NODE, changes.change())).isEmpty();
        assertThat(kinds(saga.sagaId())).containsExactly(Kind.STARTED, Kind.STEP_DONE);
    }

    @Test
    default void of_many_movers_one_moves() {
        StoredSaga saga = owned("a");
        Changes changes = Changes.next(saga, "second");

        var moved = Together.run(8, i -> store().move(changes.guard(), NODE, changes.change()));

        assertThat(moved.stream().flatMap(answer -> answer.stream())).hasSize(1);
        assertThat(kinds(saga.sagaId())).containsExactly(Kind.STARTED, Kind.STEP_DONE);
    }

    @Test
    default void a_zombie_is_refused_after_a_takeover() {
        StoredSaga zombie = owned("a");
        passTime(LEASE.plusMinutes(1));
        StoredSaga taken = store().claimDue(order(OTHER_NODE, 1)).get(0).saga();

        assertThat(store().move(
                                zombie.guard(),
                                NODE,
                                Changes.next(zombie, "second").change()))
                .isEmpty();
        assertUntouched(taken);
    }

    @Test
    default void the_fence_raises_run_seq_for_its_driver_only() {
        StoredSaga before = owned("a");

        assertThat(store().fence(before.sagaId(), OTHER_NODE, 1)).isEmpty();
        assertThat(store().fence(before.sagaId(), NODE, 2)).isEmpty();
        assertUntouched(before);

        StoredSaga after = store().fence(before.sagaId(), NODE, 1).orElseThrow();
        assertThat(after.runSeq()).isEqualTo(2);
        assertThat(after.owner()).contains(NODE);
        assertThat(after.dueAt()).isEqualTo(before.dueAt());
        assertThat(after.position()).isEqualTo(before.position());
        assertUntouched(after);
        assertThat(store().move(
                                before.guard(),
                                NODE,
                                Changes.next(before, "second").change()))
                .isEmpty();
    }

    @Test
    default void the_fence_finds_the_commit_that_landed() {
        StoredSaga before = owned("a");
        move(Changes.next(before, "second"));

        StoredSaga after = store().fence(before.sagaId(), NODE, 1).orElseThrow();

        assertThat(after.step()).isEqualTo("second");
        assertThat(after.runSeq()).isEqualTo(2);
    }

    @Test
    default void what_has_ended_or_is_parked_cannot_be_fenced() {
        StoredSaga ended = moved(Changes.ended(owned("a"), SagaState.COMPLETED));
        StoredSaga parked = moved(Changes.parked(owned("b"), LEASE));

        assertThat(store().fence(ended.sagaId(), NODE, 1)).isEmpty();
        assertThat(store().fence(parked.sagaId(), NODE, 1)).isEmpty();
        assertUntouched(ended);
        assertUntouched(parked);
    }
}
