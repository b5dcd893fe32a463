package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * B01, §3 and §4: a run that was taken over is fenced by run_seq, in every write, also where state and step are the same still.
 */
@ProtocolTest
class AZombieWritesNothingTest {
    /** Without run_seq in the guard of a local step the old run's business write commits, and its outcome is taken for the new run's. */
    @Test
    void the_local_step_of_a_run_that_was_taken_over_is_rolled_back_whole(World world) {
        TestNode a = world.node("a").withoutHeartbeat().knowing(takes(world.acts("a")));
        TestNode b = world.node("b").knowing(takes(world.acts("b")));
        world.gates().hold("a:take-2");
        world.gates().hold("b:take-2");
        UUID saga = a.start("zombie").sagaId();
        world.gates().awaitArrival("a:take-2");

        world.expireLease(saga);
        assertThat(b.tick().takenOver()).isEqualTo(1);
        world.gates().awaitArrival("b:take-2"); // both are in one step now, under two numbers
        world.gates().open("a:take-2");
        world.waitUntil("a has given up", () -> a.engine().active() == 0);

        assertThat(world.story(saga)).containsExactly("STARTED take-1", "STEP_DONE take-1", "TAKEN_OVER take-2");
        assertThat(world.stock()).isEqualTo(9);
        world.gates().open("b:take-2");
        assertThat(b.end(saga).state()).isEqualTo(SagaState.COMPLETED);
        assertThat(world.journal(saga).get(3).node()).isEqualTo("b");
    }

    /** Without the rollback of the whole, or with the guard first, the business write of the run that lost stays. */
    @Test
    void a_run_that_comes_after_the_new_one_has_finished_changes_nothing(World world) {
        TestNode a = world.node("a").withoutHeartbeat().knowing(takes(world.acts("a")));
        TestNode b = world.node("b").knowing(takes(world.acts("b")));
        world.gates().hold("a:take-2");
        UUID saga = a.start("late").sagaId();
        world.gates().awaitArrival("a:take-2");

        world.expireLease(saga);
        b.reapToItsEnd(saga);
        var before = world.saga(saga);
        world.gates().open("a:take-2");
        world.waitUntil("a has given up", () -> a.engine().active() == 0);

        var after = world.saga(saga);
        assertThat(after.position()).isEqualTo(before.position());
        assertThat(after.lease()).isEqualTo(before.lease());
        assertThat(world.effects().count("take-2", "action")).isEqualTo(2);
        assertThat(world.stock()).isEqualTo(8);
    }

    /** §4: the outcome of a fenced call is told, as LATE, under the number it was made under; it changes no state. */
    @Test
    void the_outcome_of_a_call_whose_run_was_taken_over_is_told_as_late(World world) {
        TestNode a = world.node("a").withoutHeartbeat().knowing(calls(world.acts("a")));
        TestNode b = world.node("b").knowing(calls(world.acts("b")));
        world.gates().hold("a:call-2" + Acts.DONE);
        UUID saga = a.start("late call").sagaId();
        world.gates().awaitArrival("a:call-2" + Acts.DONE);

        world.expireLease(saga);
        assertThat(b.reapToItsEnd(saga).state()).isEqualTo(SagaState.COMPLETED);
        world.gates().open("a:call-2" + Acts.DONE);
        world.waitUntil("a has told it", () -> world.count(saga, Kind.LATE) == 1);

        var late = world.entry(saga, Kind.LATE);
        assertThat(late.node()).isEqualTo("a");
        assertThat(late.runSeq()).isEqualTo(1);
        assertThat(world.saga(saga).state()).isEqualTo(SagaState.COMPLETED);
        assertThat(world.participant().calls(saga, "call-2")).isEqualTo(2);
        assertThat(world.participant().inEffect(saga)).containsExactly("call-1", "call-2");
    }

    private static SagaDefinition<Order> takes(Acts acts) {
        return SagaDefinition.builder(Order.TYPE)
                .step(acts.undoableLocal("take-1"))
                .step(acts.undoableLocal("take-2"))
                .build();
    }

    private static SagaDefinition<Order> calls(Acts acts) {
        return SagaDefinition.builder(Order.TYPE)
                .step(acts.undoable("call-1"))
                .step(acts.undoable("call-2"))
                .build();
    }
}
