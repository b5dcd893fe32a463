package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * B21, §6: a saga's deadline is looked at by its owner between attempts, by every claim and when the pivot begins; never while an
 * attempt runs, and not from the pivot's beginning on.
 */
@ProtocolTest
class ADeadlineTurnsBackBetweenAttemptsTest {
    private static final Duration DEADLINE = Duration.ofMillis(600);

    /** Its owner is alive and in a step: nobody interferes, and what the step did is undone when it has ended. */
    @Test
    void the_owner_ends_its_attempt_first(World world) {
        TestNode a = world.node("a").knowing(calls(world.acts("a")));
        TestNode b = world.node("b").knowing(calls(world.acts("b")));
        world.gates().hold("call-2");
        UUID saga = a.start("owner").sagaId();
        world.gates().awaitArrival("call-2");

        world.waitUntil("the deadline has passed", () -> {
            assertThat(b.tick().claimed()).isZero();
            return isOver(world, saga);
        });
        assertThat(world.saga(saga).state()).isEqualTo(SagaState.RUNNING);
        world.gates().open("call-2");

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPENSATED);
        world.effects().assertRan(saga, "call-1 action", "call-2 action", "call-2 compensation", "call-1 compensation");
        assertThat(world.entry(saga, Kind.TURNED_BACK).error())
                .hasValueSatisfying(error -> assertThat(error).contains("SAGA-304"));
    }

    /** A parked saga wakes up for it, and whoever claims it sees it: the step is not tried once more. */
    @Test
    void a_parked_saga_is_woken_by_it(World world) {
        Acts acts = world.acts();
        acts.failAt("call-2", 1_000);
        SagaDefinition<Order> patient = SagaDefinition.builder(Order.TYPE)
                .deadline(Duration.ofMillis(10_000))
                .step(acts.undoable("call-1"))
                .step(acts.undoable(acts.external("call-2")
                        .retry(RetryPolicy.fixed(Duration.ofMillis(9_900)).maxAttempts(2))))
                .build();
        TestNode a = world.node("a").knowing(patient);
        world.gates().hold("call-2");
        UUID saga = a.start("parked").sagaId();
        world.gates().awaitArrival("call-2");
        world.waitUntil("its next attempt would come after the deadline", () -> age(world, saga) > 0.1);
        world.gates().open("call-2");
        world.waitUntil("it is parked", () -> world.saga(saga).owner().isEmpty());
        assertThat(world.saga(saga).dueAt()).isEqualTo(world.saga(saga).deadlineAt());

        world.execute("UPDATE {saga} SET due_at = clock_timestamp(), deadline_at = clock_timestamp()");
        assertThat(a.reapToItsEnd(saga).state()).isEqualTo(SagaState.COMPENSATED);
        world.effects().assertRan(saga, "call-1 action", "call-2 action", "call-2 compensation", "call-1 compensation");
    }

    /** When it passes while the step before the pivot runs, the pivot does not begin. */
    @Test
    void the_pivot_does_not_begin_after_it(World world) {
        TestNode a = world.node("a").knowing(pivot(world.acts()));
        world.gates().hold("call" + Acts.DONE);
        UUID saga = a.start("before the pivot").sagaId();
        world.gates().awaitArrival("call" + Acts.DONE);
        world.waitUntil("the deadline has passed", () -> isOver(world, saga));
        world.gates().open("call" + Acts.DONE);

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(world.participant().calls(saga, "capture")).isZero();
        assertThat(world.count(saga, Kind.PIVOT_BEGUN)).isZero();
    }

    /** B41 (b): from the pivot's beginning on it means nothing, also to a node that takes the saga over. */
    @Test
    void it_means_nothing_once_the_pivot_has_begun(World world) {
        TestNode a = world.node("a").withoutHeartbeat().knowing(pivot(world.acts("a")));
        TestNode b = world.node("b").knowing(pivot(world.acts("b")));
        world.gates().hold("a:capture");
        UUID saga = a.start("in the pivot").sagaId();
        world.gates().awaitArrival("a:capture");
        assertThat(world.saga(saga).pivot()).isEqualTo(Pivot.BEGUN);
        world.waitUntil("the deadline has passed", () -> isOver(world, saga));

        world.expireLease(saga);
        assertThat(b.reapToItsEnd(saga).state()).isEqualTo(SagaState.COMPLETED);
        assertThat(world.participant().inEffect(saga)).containsExactly("call", "capture", "ship");
        assertThat(world.effects().count("call", "compensation")).isZero();
    }

    private static double age(World world, UUID saga) {
        return world.value(
                Double.class,
                "SELECT extract(epoch FROM clock_timestamp() - created_at)::float8 FROM {saga} WHERE saga_id = ?",
                saga);
    }

    private static boolean isOver(World world, UUID saga) {
        return world.value(Boolean.class, "SELECT deadline_at < clock_timestamp() FROM {saga} WHERE saga_id = ?", saga);
    }

    private static SagaDefinition<Order> calls(Acts acts) {
        return SagaDefinition.builder(Order.TYPE)
                .deadline(DEADLINE)
                .step(acts.undoable("call-1"))
                .step(acts.undoable("call-2"))
                .step(acts.undoable("call-3"))
                .build();
    }

    private static SagaDefinition<Order> pivot(Acts acts) {
        return SagaDefinition.builder(Order.TYPE)
                .deadline(DEADLINE)
                .step(acts.undoable("call"))
                .pivot(acts.external("capture"))
                .then(acts.external("ship"))
                .build();
    }
}
