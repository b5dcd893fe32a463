package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.StepRejectedException;
import io.holdfast.saga.Verdict;
import io.holdfast.saga.spi.StoredEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * B31, §4: a call may still be under way when its undo is due. By key the participant sorts it out; {@code settledAndCompensatedBy}
 * asks first; and after a takeover every undo waits until a call of the former owner must have timed out.
 */
@ProtocolTest
class AnUndoDoesNotOvertakeItsActionTest {
    private static final Duration TIMEOUT = Duration.ofMillis(1500);

    /** Taken over while it went forward; the new owner gives up and turns back. */
    @Test
    void after_a_takeover_it_waits_for_the_former_owners_timeout(World world) {
        TestNode a = world.node("a").withoutHeartbeat().knowing(byKey(world.acts("a")));
        Acts there = world.acts("b");
        there.failAt("call", 1_000);
        TestNode b = world.node("b").knowing(byKey(there));
        world.gates().holdStubbornly("a:call");
        UUID saga = a.start("taken over").sagaId();
        world.gates().awaitArrival("a:call");

        world.expireLease(saga);
        b.tickUntil("b waits", () -> world.count(saga, Kind.PARKED) == 1);
        StoredEntry takeover = world.entry(saga, Kind.TAKEN_OVER);
        assertThat(world.entry(saga, Kind.PARKED).note())
                .hasValueSatisfying(note -> assertThat(note).contains("waits"));
        assertThat(b.reapToItsEnd(saga).state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(undoneAt(world, saga)).isAfterOrEqualTo(takeover.at().plus(TIMEOUT));

        world.gates().open("a:call"); // the call comes after its undo, and the participant refuses it
        world.waitUntil("a has given up", () -> a.engine().active() == 0);
        assertThat(world.participant().inEffect(saga)).isEmpty();
    }

    /** Cancelled while its owner was in the call, which then died: the way it goes at the takeover makes no difference. */
    @Test
    void after_a_cancel_and_a_takeover_it_waits_as_well(World world) {
        TestNode a = world.node("a").withoutHeartbeat().knowing(byKey(world.acts("a")));
        TestNode b = world.node("b").knowing(byKey(world.acts("b")));
        world.gates().holdStubbornly("a:call");
        UUID saga = a.start("cancelled").sagaId();
        world.gates().awaitArrival("a:call");

        assertThat(b.engine().handle(saga).cancel("no")).isEqualTo(Verdict.APPLIED);
        world.expireLease(saga);
        assertThat(b.reapToItsEnd(saga).state()).isEqualTo(SagaState.COMPENSATED);

        assertThat(undoneAt(world, saga))
                .isAfterOrEqualTo(world.entry(saga, Kind.TAKEN_OVER).at().plus(TIMEOUT));
    }

    /** The action is asked again, with its own key, as often as it takes; only then it is undone. */
    @Test
    void a_doubt_is_settled_before_it_is_undone(World world) {
        Acts acts = world.acts();
        acts.failAt("call" + Acts.DONE, 3); // the first time going forward, twice settling
        TestNode a = world.node("a").knowing(settled(acts));
        UUID saga = a.start("settled").sagaId();

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPENSATED);
        world.effects()
                .assertRan(saga, "call action", "call action", "call action", "call action", "call compensation");
        assertThat(world.story(saga))
                .containsExactly(
                        "STARTED call",
                        "STEP_FAILED call",
                        "TURNED_BACK call",
                        "COMPENSATION_FAILED call",
                        "COMPENSATION_FAILED call",
                        "STEP_DONE call",
                        "STEP_UNDONE call",
                        "COMPENSATED");
        assertThat(world.participant().calls(saga, "call")).isEqualTo(4);
    }

    /** Settled as rejected: nothing is there to undo. */
    @Test
    void a_doubt_that_is_settled_as_rejected_is_not_undone(World world) {
        Acts acts = world.acts();
        acts.at("call", ctx -> {
            if (world.effects().of(ctx.sagaId()).size() == 1) {
                throw new Acts.Planned("no connection");
            }
            throw new StepRejectedException("never heard of it, and will not have it");
        });
        TestNode a = world.node("a").knowing(settled(acts));
        UUID saga = a.start("settled as rejected").sagaId();

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPENSATED);
        world.effects().assertRan(saga, "call action", "call action");
        assertThat(world.participant().undos(saga, "call")).isZero();
    }

    private static Instant undoneAt(World world, UUID saga) {
        return world.entry(saga, Kind.STEP_UNDONE).at();
    }

    private static SagaDefinition<Order> byKey(Acts acts) {
        return SagaDefinition.builder(Order.TYPE)
                .step(acts.undoable(acts.external("call").timeout(TIMEOUT).retry(RetryPolicy.none())))
                .build();
    }

    private static SagaDefinition<Order> settled(Acts acts) {
        return SagaDefinition.builder(Order.TYPE)
                .step(acts.external("call")
                        .retry(RetryPolicy.none())
                        .settledAndCompensatedBy((ctx, nothing) -> acts.undo("call", ctx))
                        .compensationRetry(RetryPolicy.fixed(Duration.ofMillis(5))))
                .build();
    }
}
