package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.Direction;
import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.Verdict;
import io.holdfast.saga.jdbc.lock.SemanticLock;
import io.holdfast.saga.jdbc.testing.OpenTransaction;
import io.holdfast.saga.spi.StoredSaga;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * B110, §6: a cancel is durable when it is answered. Of an owned saga it changes state and direction only; the owner's next forward
 * guard fails on the state, its running attempt is told, ends, and its outcome is recorded before anything is undone.
 */
@ProtocolTest
class ACancelIsACompareAndSetTest {
    /** Without state in the guard the local step that runs commits, and the saga goes forward. */
    @Test
    void the_local_step_that_runs_is_rolled_back(World world) {
        TestNode a = world.node("a").knowing(Play.TAKES.with(world.acts()));
        TestNode b = world.node("b").knowing(Play.TAKES.with(world.acts()));
        world.gates().hold("take-2" + Acts.DONE);
        UUID saga = a.start("owned").sagaId();
        world.gates().awaitArrival("take-2" + Acts.DONE);
        StoredSaga before = world.saga(saga);

        assertThat(b.engine().handle(saga).cancel("changed my mind")).isEqualTo(Verdict.APPLIED);
        StoredSaga after = world.saga(saga);
        assertThat(after.state()).isEqualTo(SagaState.COMPENSATING);
        assertThat(after.direction()).isEqualTo(Direction.BACKWARD);
        assertThat(after.lease()).isEqualTo(before.lease());
        world.gates().open("take-2" + Acts.DONE);

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPENSATED);
        world.effects().assertRan(saga, "take-1 action", "take-2 action", "take-1 compensation");
        assertThat(world.saga(saga).runSeq()).isEqualTo(1);
    }

    /** The shortest way to lose without a guard: start, cancel, the old run commits its claim, and the row is held for ever. */
    @Test
    void the_claim_that_waits_for_its_row_is_not_kept(World world) {
        SemanticLock<Order> order = Play.orders(world.acts());
        SagaDefinition<Order> claims = SagaDefinition.builder(Order.TYPE)
                .step(order.claim("claim"))
                .pivot(world.acts().local("take"))
                .then(order.release("release", "DONE"))
                .build();
        TestNode a = world.node("a").knowing(claims);
        TestNode b = world.node("b").knowing(claims);
        UUID saga;
        try (var other = OpenTransaction.begin(world.database().dataSource())) {
            other.execute("UPDATE orders SET version = version + 1 WHERE id = 1");
            saga = a.start("claims").sagaId();
            other.awaitWaiters(1);
            assertThat(b.engine().handle(saga).cancel("too slow")).isEqualTo(Verdict.APPLIED);
            other.commit();
        }

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(world.value(String.class, "SELECT status FROM orders WHERE id = 1 AND saga_id IS NULL"))
                .isEqualTo("NEW");
    }

    /** The outcome of the call that runs is recorded, and then undone. */
    @Test
    void the_call_that_runs_is_told_ends_and_is_undone(World world) {
        Acts acts = world.acts();
        acts.at("call-2" + Acts.DONE, ctx -> world.waitUntil("it is told", ctx::isCancelled));
        TestNode a = world.node("a").lease(Duration.ofMillis(900)).knowing(calls(acts));
        TestNode b = world.node("b").knowing(calls(world.acts("b")));
        world.gates().hold("call-2");
        UUID saga = a.start("call").sagaId();
        world.gates().awaitArrival("call-2");

        assertThat(b.engine().handle(saga).cancel("no")).isEqualTo(Verdict.APPLIED);
        assertThat(b.engine().handle(saga).cancel("no again")).isEqualTo(Verdict.ALREADY);
        world.gates().open("call-2");

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(world.story(saga))
                .containsExactly(
                        "STARTED call-1",
                        "STEP_DONE call-1",
                        "TURNED_BACK call-2",
                        "STEP_DONE call-2",
                        "STEP_UNDONE call-2",
                        "STEP_UNDONE call-1",
                        "COMPENSATED");
    }

    /** Of a parked saga it also raises run_seq and makes it due: it must not wait for its pause, nor for a run that is gone. */
    @Test
    void a_parked_saga_is_fenced_and_due_at_once(World world) {
        Acts acts = world.acts();
        acts.failAt("call-2", 1);
        SagaDefinition<Order> parks = SagaDefinition.builder(Order.TYPE)
                .step(acts.undoable("call-1"))
                .step(acts.undoable(acts.external("call-2").retry(RetryPolicy.fixed(Duration.ofHours(1)))))
                .build();
        TestNode a = world.node("a").knowing(parks);
        UUID saga = a.start("parked").sagaId();
        world.waitUntil("it is parked", () -> world.saga(saga).owner().isEmpty());
        assertThat(world.saga(saga).runSeq()).isEqualTo(1);

        assertThat(world.store().cancel(saga, "nobody", "not at all")).isEqualTo(Verdict.APPLIED);
        StoredSaga cancelled = world.saga(saga);
        assertThat(cancelled.runSeq()).isEqualTo(2);
        assertThat(cancelled.owner()).isEmpty();
        assertThat(cancelled.takeovers()).isZero();
        assertThat(cancelled.dueAt()).hasValueSatisfying(due -> assertThat(due).isBeforeOrEqualTo(cancelled.readAt()));

        assertThat(a.reapToItsEnd(saga).state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(world.effects().of(saga))
                .containsExactly("call-1 action", "call-2 action", "call-2 compensation", "call-1 compensation");
    }

    /** A pause between two attempts on this node ends at once; without the signal it would be slept through. */
    @Test
    void a_pause_between_two_attempts_ends(World world) {
        Acts acts = world.acts();
        acts.failAt("call-2", 1_000);
        SagaDefinition<Order> pauses = SagaDefinition.builder(Order.TYPE)
                .step(acts.undoable("call-1"))
                .step(acts.undoable(acts.external("call-2")
                        .retry(RetryPolicy.fixed(Duration.ofSeconds(50)).forever())))
                .build();
        TestNode a = world.node("a").inPlace(Duration.ofMinutes(1)).knowing(pauses);
        UUID saga = a.start("pauses").sagaId();
        world.waitUntil("it pauses", () -> world.count(saga, Kind.STEP_FAILED) == 1);

        assertThat(a.engine().handle(saga).cancel("no patience")).isEqualTo(Verdict.APPLIED);
        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPENSATED);
    }

    /** The owner is cut off when it happens, and comes back: it is on the saga's row, so it is not lost. */
    @Test
    void an_owner_that_was_cut_off_finds_it(World world) {
        TestNode a = world.node("a").knowing(calls(world.acts("a")));
        TestNode b = world.node("b").knowing(calls(world.acts("b")));
        world.gates().hold("call-2" + Acts.DONE);
        UUID saga = a.start("cut off").sagaId();
        world.gates().awaitArrival("call-2" + Acts.DONE);
        a.hooks().cutOff();

        assertThat(b.engine().handle(saga).cancel("now")).isEqualTo(Verdict.APPLIED);
        world.gates().open("call-2" + Acts.DONE);
        a.hooks().reconnect();

        assertThat(b.end(saga).state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(world.effects().count("call-3", "action")).isZero();
    }

    /** What has ended or is stuck stays as it is. */
    @Test
    void what_has_ended_answers_what_is_the_case(World world) {
        Acts acts = world.acts();
        TestNode a = world.node("a").knowing(calls(acts));
        UUID completed = a.start("completed").sagaId();
        a.end(completed);
        acts.rejectAt("call-2");
        UUID compensated = a.start("compensated").sagaId();
        a.end(compensated);

        assertThat(a.engine().handle(completed).cancel("too late")).isEqualTo(Verdict.TOO_LATE);
        assertThat(a.engine().handle(compensated).cancel("done")).isEqualTo(Verdict.ALREADY);
        assertThat(a.engine().handle(UUID.randomUUID()).cancel("what?")).isEqualTo(Verdict.NOT_FOUND);
    }

    /** Surely not done is a step of which no attempt was ever begun: nothing is called, not even to undo it. */
    @Test
    void what_never_began_is_not_called(World world) {
        Acts acts = world.acts();
        SagaDefinition<Order> settles = SagaDefinition.builder(Order.TYPE)
                .step(acts.external("call").settledAndCompensatedBy((ctx, nothing) -> acts.undo("call", ctx)))
                .build();
        TestNode a = world.node("a").capacity(1).knowing(settles);
        world.gates().hold("call");
        UUID first = a.start("takes the only slot").sagaId();
        world.gates().awaitArrival("call");
        UUID waiting = a.start("waits for a slot").sagaId();

        assertThat(a.engine().handle(waiting).cancel("no need")).isEqualTo(Verdict.APPLIED);
        world.gates().open("call");
        a.end(first);
        assertThat(a.reapToItsEnd(waiting).state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(world.effects().of(waiting)).isEmpty();
    }

    private static SagaDefinition<Order> calls(Acts acts) {
        return SagaDefinition.builder(Order.TYPE)
                .step(acts.undoable("call-1"))
                .step(acts.undoable("call-2"))
                .step(acts.undoable("call-3"))
                .build();
    }
}
