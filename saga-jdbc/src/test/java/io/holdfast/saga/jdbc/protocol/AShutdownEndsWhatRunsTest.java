package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.Verdict;
import io.holdfast.saga.spi.StoredSaga;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * B105 and B38 (c), §7: a node that shuts down takes no work, lets attempts end, hands back only what no thread of its works on any
 * more, and stops the heartbeat last.
 */
@ProtocolTest
class AShutdownEndsWhatRunsTest {
    /** Without the heartbeat, or handing back at once, the step would run on another node as well. */
    @Test
    void the_step_that_runs_keeps_its_lease_and_the_rest_is_handed_back(World world) {
        TestNode a = world.node("a")
                .lease(Duration.ofMillis(1500))
                .grace(Duration.ofSeconds(30))
                .knowing(Play.TAKES.with(world.acts("a")));
        TestNode b = world.node("b").knowing(Play.TAKES.with(world.acts("b")));
        world.gates().hold("a:take-1");
        AtomicInteger beats = new AtomicInteger();
        UUID saga = a.start("graceful").sagaId();
        world.gates().awaitArrival("a:take-1");

        var closing = CompletableFuture.runAsync(a.engine()::close);
        a.hooks().after("renew", beats::incrementAndGet);
        world.waitUntil("a whole lease has passed", () -> {
            assertThat(b.tick().claimed()).isZero();
            return beats.get() >= 4;
        });
        assertThat(closing).isNotDone();
        world.gates().open("a:take-1");
        closing.join();

        StoredSaga handedBack = world.saga(saga);
        assertThat(handedBack.step()).isEqualTo("take-2");
        assertThat(handedBack.owner()).isEmpty();
        assertThat(handedBack.runSeq()).isEqualTo(1);
        assertThat(b.tick().claimed()).isEqualTo(1);
        assertThat(b.end(saga).state()).isEqualTo(SagaState.COMPLETED);
        world.effects().assertRan(saga, "take-1 action", "take-2 action");
    }

    /** An attempt that the shutdown interrupts counts as none; what it may have done is not forgotten. */
    @Test
    void an_attempt_that_is_interrupted_counts_as_none(World world) {
        TestNode a = world.node("a").grace(Duration.ZERO).knowing(calls(world.acts("a")));
        TestNode b = world.node("b").knowing(calls(world.acts("b")));
        world.gates().hold("a:call-2" + Acts.DONE);
        UUID saga = a.start("interrupted").sagaId();
        world.gates().awaitArrival("a:call-2" + Acts.DONE);
        a.engine().close();

        StoredSaga handedBack = world.saga(saga);
        assertThat(handedBack.owner()).isEmpty();
        assertThat(handedBack.attempts()).isZero();
        assertThat(world.count(saga, Kind.STEP_FAILED)).isZero();
        assertThat(b.engine().handle(saga).cancel("not needed")).isEqualTo(Verdict.APPLIED);
        assertThat(b.reapToItsEnd(saga).state()).isEqualTo(SagaState.COMPENSATED);
        world.effects().assertRan(saga, "call-1 action", "call-2 action", "call-2 compensation", "call-1 compensation");
    }

    /** The same on the way back: the compensation is left to be resumed, and counts no failure. */
    @Test
    void a_compensation_that_is_interrupted_is_finished_elsewhere(World world) {
        TestNode a = world.node("a").grace(Duration.ZERO).knowing(calls(world.acts("a")));
        TestNode b = world.node("b").knowing(calls(world.acts("b")));
        world.gates().hold("a:call-2");
        world.gates().hold("a:undo-call-1");
        UUID saga = a.start("undoing").sagaId();
        world.gates().awaitArrival("a:call-2");
        a.engine().handle(saga).cancel("no");
        world.gates().open("a:call-2");
        world.gates().awaitArrival("a:undo-call-1");
        a.engine().close();

        assertThat(world.saga(saga).state()).isEqualTo(SagaState.COMPENSATING);
        assertThat(b.reapToItsEnd(saga).state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(world.count(saga, Kind.COMPENSATION_FAILED)).isZero();
        assertThat(world.count(saga, Kind.TAKEN_OVER)).isZero();
    }

    /** A thread that ignores the interrupt still works on it: its lease is left to end, so that nothing is done twice. */
    @Test
    void what_still_runs_is_not_handed_back(World world) {
        TestNode a = world.node("a").grace(Duration.ZERO).knowing(calls(world.acts("a")));
        TestNode b = world.node("b").knowing(calls(world.acts("b")));
        world.gates().holdStubbornly("a:call-2");
        UUID saga = a.start("stubborn").sagaId();
        world.gates().awaitArrival("a:call-2");
        a.engine().close();

        assertThat(world.saga(saga).owner()).contains("a");
        assertThat(b.tick().claimed()).isZero();
        world.expireLease(saga);
        assertThat(b.reapToItsEnd(saga).state()).isEqualTo(SagaState.COMPLETED);
        world.gates().open("a:call-2");
        world.waitUntil("the outcome is told", () -> world.count(saga, Kind.LATE) == 1);
    }

    /** A shutdown is no cancel: what the running attempt comes to is of use. */
    @Test
    void the_attempt_that_runs_is_not_told_that_it_was_cancelled(World world) {
        Acts acts = world.acts("a");
        AtomicBoolean cancelled = new AtomicBoolean();
        acts.at("call-2" + Acts.DONE, ctx -> {
            world.gates().pass("closing");
            cancelled.set(ctx.isCancelled());
        });
        TestNode a = world.node("a").grace(Duration.ofSeconds(30)).knowing(calls(acts));
        world.gates().hold("closing");
        UUID saga = a.start("no cancel").sagaId();
        world.gates().awaitArrival("closing");
        var closing = CompletableFuture.runAsync(a.engine()::close);
        world.waitUntil("it is closing", () -> {
            try {
                a.engine().start(Order.TYPE, "refused", new Order(1));
                return false;
            } catch (SagaUsageException closed) {
                return true;
            }
        });
        world.gates().open("closing");
        closing.join();

        assertThat(cancelled).isFalse();
        assertThat(world.count(saga, Kind.STEP_DONE)).isEqualTo(2);
    }

    private static SagaDefinition<Order> calls(Acts acts) {
        return SagaDefinition.builder(Order.TYPE)
                .step(acts.undoable("call-1"))
                .step(acts.undoable("call-2"))
                .build();
    }
}
