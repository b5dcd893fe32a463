package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.Verdict;
import io.holdfast.saga.jdbc.testing.StatementCut;
import io.holdfast.saga.jdbc.testing.TcpProxy;
import io.holdfast.saga.spi.SagaStore.OperatorAction;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * B41, §5: nothing is called before BEGUN is committed; from then on the pivot is asked with the same key until it is done or
 * rejected, and nothing but its own rejection turns the saga back.
 */
@ProtocolTest
class AnExternalPivotBeginsByACommitTest {
    /** Without the commit before the call a cancel would be accepted while the money moves. */
    @Test
    void the_pivot_is_durable_when_it_is_called(World world) {
        Acts acts = world.acts();
        List<Pivot> seen = new CopyOnWriteArrayList<>();
        acts.at("capture", ctx -> seen.add(world.saga(ctx.sagaId()).pivot()));
        TestNode a = world.node("a").knowing(Play.PIVOT.with(acts));
        UUID saga = a.start("durable").sagaId();

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPLETED);
        assertThat(seen).containsExactly(Pivot.BEGUN);
        assertThat(world.saga(saga).pivot()).isEqualTo(Pivot.PASSED);
        assertThat(world.story(saga))
                .containsExactly(
                        "STARTED reserve",
                        "STEP_DONE reserve",
                        "STEP_DONE authorize",
                        "PIVOT_BEGUN capture",
                        "STEP_DONE capture",
                        "STEP_DONE ship",
                        "COMPLETED");
    }

    /** The answer to that commit is lost, or the commit itself: it is called once, and only under a commit that is confirmed. */
    @Test
    void a_lost_answer_to_its_beginning_is_settled_before_it_is_called(World world) {
        for (StatementCut.Loses loses : List.of(StatementCut.Loses.ANSWER, StatementCut.Loses.STATEMENT)) {
            try (TcpProxy network = TcpProxy.to(world.database())) {
                Acts acts = world.acts();
                List<Pivot> seen = new CopyOnWriteArrayList<>();
                acts.at("capture", ctx -> seen.add(world.saga(ctx.sagaId()).pivot()));
                TestNode a = world.node("a")
                        .on(world.database().via(network).dataSource())
                        .knowing(Play.PIVOT.with(acts));
                // after the two outcomes that lead to it
                StatementCut cut = network.cut(sql -> sql.startsWith("WITH moved AS"), 3, loses);
                UUID saga = a.start("lost " + loses).sagaId();
                cut.awaitHappened();

                assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPLETED);
                assertThat(seen).containsExactly(Pivot.BEGUN);
                assertThat(world.participant().calls(saga, "capture")).isEqualTo(1);
                world.entry(saga, Kind.PIVOT_BEGUN);
            }
        }
    }

    /** A cancel that is faster than the beginning wins: the beginning has the full guard, with the state. */
    @Test
    void a_cancel_just_before_its_beginning_wins(World world) {
        TestNode a = world.node("a").knowing(Play.PIVOT.with(world.acts()));
        TestNode b = world.node("b").knowing(Play.PIVOT.with(world.acts()));
        AtomicBoolean once = new AtomicBoolean();
        world.gates().hold("reserve");
        UUID saga = a.start("just before").sagaId();
        world.gates().awaitArrival("reserve");
        a.hooks().before("move", () -> {
            if (world.saga(saga).step().equals("capture") && once.compareAndSet(false, true)) {
                assertThat(b.engine().handle(saga).cancel("stop")).isEqualTo(Verdict.APPLIED);
            }
        });
        world.gates().open("reserve");

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(once).isTrue();
        assertThat(world.effects().count("capture", "action")).isZero();
        assertThat(world.count(saga, Kind.PIVOT_BEGUN)).isZero();
    }

    /** B41 (c): UNDECIDED while it is asked, TOO_LATE when it is done, from whatever node; nothing is undone. */
    @Test
    void a_cancel_after_its_beginning_changes_nothing(World world) {
        TestNode a = world.node("a").knowing(Play.PIVOT.with(world.acts()));
        TestNode b = world.node("b").knowing(Play.PIVOT.with(world.acts()));
        world.gates().hold("capture");
        world.gates().hold("ship");
        UUID saga = a.start("undecided").sagaId();
        world.gates().awaitArrival("capture");
        assertThat(b.engine().handle(saga).cancel("stop")).isEqualTo(Verdict.UNDECIDED);
        assertThat(a.engine().handle(saga).cancel("stop")).isEqualTo(Verdict.UNDECIDED);
        world.gates().open("capture");
        world.gates().awaitArrival("ship");
        assertThat(b.engine().handle(saga).cancel("stop")).isEqualTo(Verdict.TOO_LATE);
        world.gates().open("ship");

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPLETED);
        assertThat(world.participant().inEffect(saga)).containsExactly("authorize", "capture", "reserve", "ship");
    }

    /** Its own answer, and nothing else, turns back from it. */
    @Test
    void a_rejected_pivot_turns_back(World world) {
        Acts acts = world.acts();
        acts.rejectAt("capture");
        TestNode a = world.node("a").knowing(Play.PIVOT.with(acts));
        UUID saga = a.start("declined").sagaId();

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(world.saga(saga).pivot()).isEqualTo(Pivot.NONE);
        assertThat(world.story(saga))
                .endsWith(
                        "PIVOT_BEGUN capture",
                        "STEP_REJECTED capture",
                        "TURNED_BACK capture",
                        "STEP_UNDONE authorize",
                        "STEP_UNDONE reserve",
                        "COMPENSATED");
    }

    /** Retries spent: stuck, with everything kept; a person has it asked again, with the same key. */
    @Test
    void a_pivot_that_does_not_answer_gets_stuck_and_keeps_everything(World world) {
        Acts acts = world.acts();
        acts.failAt("capture" + Acts.DONE, 2);
        SagaDefinition<Order> twice = SagaDefinition.builder(Order.TYPE)
                .step(acts.undoable("reserve"))
                .pivot(acts.external("capture")
                        .retry(RetryPolicy.fixed(Duration.ofMillis(5)).maxAttempts(2)))
                .build();
        TestNode a = world.node("a").knowing(twice);
        UUID saga = a.start("spent").sagaId();

        assertThat(a.end(saga).state()).isEqualTo(SagaState.STUCK);
        assertThat(world.saga(saga).pivot()).isEqualTo(Pivot.BEGUN);
        assertThat(world.participant().inEffect(saga)).containsExactly("capture", "reserve");
        assertThat(a.engine().handle(saga).cancel("stop")).isEqualTo(Verdict.TOO_LATE);
        assertThat(a.engine().operate(saga, OperatorAction.TURN_BACK, "by me")).isEqualTo(Verdict.TOO_LATE);
        assertThat(a.engine().operate(saga, OperatorAction.RETRY, "by me")).isEqualTo(Verdict.APPLIED);

        world.waitUntil("it goes on", () -> world.saga(saga).state() == SagaState.COMPLETED);
        assertThat(world.participant().calls(saga, "capture")).isEqualTo(3);
        assertThat(world.effects().count("reserve", "compensation")).isZero();
    }

    /** B41 (a): what comes after it is tried again or gets stuck, and is never a reason to turn back. */
    @Test
    void a_failure_behind_it_never_turns_back(World world) {
        Acts acts = world.acts();
        acts.failAt("ship", 10);
        SagaDefinition<Order> ships = SagaDefinition.builder(Order.TYPE)
                .step(acts.undoable("reserve"))
                .pivot(acts.external("capture"))
                .then(acts.external("ship")
                        .retry(RetryPolicy.fixed(Duration.ofMillis(2)).maxAttempts(8)))
                .build();
        TestNode a = world.node("a").knowing(ships);
        UUID saga = a.start("ship").sagaId();

        assertThat(a.end(saga).state()).isEqualTo(SagaState.STUCK);
        assertThat(a.engine().operate(saga, OperatorAction.TURN_BACK, "by me")).isEqualTo(Verdict.TOO_LATE);
        assertThat(a.engine().operate(saga, OperatorAction.RETRY, "by me")).isEqualTo(Verdict.APPLIED);
        world.waitUntil("it goes on", () -> world.saga(saga).state() == SagaState.COMPLETED);

        assertThat(world.effects().count("ship", "action")).isEqualTo(11);
        assertThat(world.effects().count("reserve", "compensation")).isZero();
    }
}
