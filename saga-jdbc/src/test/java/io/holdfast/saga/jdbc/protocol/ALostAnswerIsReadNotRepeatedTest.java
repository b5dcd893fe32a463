package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.jdbc.testing.StatementCut;
import io.holdfast.saga.jdbc.testing.TcpProxy;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * B09, §3 and §12: when the answer to a COMMIT is lost, the engine first raises run_seq, which waits for the old transaction or
 * fences it, and then reads. The body of a step that was committed never runs again. The standing checks count the stock.
 */
@ProtocolTest
class ALostAnswerIsReadNotRepeatedTest {
    @Test
    void of_a_step(World world) {
        try (TcpProxy network = TcpProxy.to(world.database())) {
            TestNode a = node(world, network, takes(world));
            StatementCut cut = network.cutAfterCommitIsForwarded(1);
            UUID saga = a.start("step").sagaId();
            cut.awaitHappened();

            assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPLETED);
            world.effects().assertRan(saga, "take-1 action", "take-2 action");
            assertThat(world.saga(saga).runSeq()).isEqualTo(2);
        }
    }

    @Test
    void of_a_compensation(World world) {
        try (TcpProxy network = TcpProxy.to(world.database())) {
            TestNode a = node(world, network, turnsBack(world));
            StatementCut cut = network.cutAfterCommitIsForwarded(3);
            UUID saga = a.start("compensation").sagaId();
            cut.awaitHappened();

            assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPENSATED);
            world.effects()
                    .assertRan(
                            saga,
                            "take-1 action",
                            "take-2 action",
                            "refused action",
                            "take-2 compensation",
                            "take-1 compensation");
        }
    }

    @Test
    void of_the_end(World world) {
        try (TcpProxy network = TcpProxy.to(world.database())) {
            TestNode a = node(world, network, takes(world));
            StatementCut cut = network.cutAfterCommitIsForwarded(2);
            UUID saga = a.start("end").sagaId();
            cut.awaitHappened();

            assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPLETED);
            world.waitUntil("a is through", () -> a.engine().active() == 0);
            world.effects().assertRan(saga, "take-1 action", "take-2 action");
        }
    }

    @Test
    void of_a_calls_outcome(World world) {
        try (TcpProxy network = TcpProxy.to(world.database())) {
            TestNode a = node(
                    world,
                    network,
                    SagaDefinition.builder(Order.TYPE)
                            .step(world.acts().undoable("call-1"))
                            .step(world.acts().undoable("call-2"))
                            .build());
            StatementCut cut = network.cut(ALostAnswerIsReadNotRepeatedTest::isMove, 1, StatementCut.Loses.ANSWER);
            UUID saga = a.start("outcome").sagaId();
            cut.awaitHappened();

            assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPLETED);
            assertThat(world.participant().calls(saga, "call-1")).isEqualTo(1);
            assertThat(world.count(saga, Kind.STEP_DONE)).isEqualTo(2);
        }
    }

    /** What never reached the database is done again, and that counts as no failure of the step. */
    @Test
    void a_commit_that_never_arrived_is_repeated(World world) {
        try (TcpProxy network = TcpProxy.to(world.database())) {
            TestNode a = node(world, network, takes(world));
            StatementCut cut = network.cutBeforeCommitIsForwarded(1);
            UUID saga = a.start("never").sagaId();
            cut.awaitHappened();

            assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPLETED);
            world.effects().assertRan(saga, "take-1 action", "take-1 action", "take-2 action");
            assertThat(world.count(saga, Kind.STEP_FAILED)).isZero();
        }
    }

    /** Reading first would be a race: it would not see the commit that is still under way, and the body would run twice. */
    @Test
    void a_commit_that_is_still_under_way_is_waited_for(World world) {
        try (TcpProxy network = TcpProxy.to(world.database())) {
            TestNode a = node(world, network, takes(world));
            StatementCut cut = network.cutAndHoldCommit(1);
            UUID saga = a.start("under-way").sagaId();
            cut.awaitHappened();
            world.waitUntil(
                    "the fence waits for the old transaction",
                    () -> world.value(Long.class, "SELECT count(*) FROM pg_locks WHERE NOT granted") > 0);
            assertThat(world.effects().of(saga)).containsExactly("take-1 action");

            assertThat(cut.deliver()).isTrue();

            assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPLETED);
            world.effects().assertRan(saga, "take-1 action", "take-2 action");
        }
    }

    private static boolean isMove(String sql) {
        return sql.startsWith("WITH moved AS");
    }

    private static TestNode node(World world, TcpProxy network, SagaDefinition<Order> definition) {
        return world.node("a").on(world.database().via(network).dataSource()).knowing(definition);
    }

    private static SagaDefinition<Order> takes(World world) {
        return Play.TAKES.with(world.acts());
    }

    private static SagaDefinition<Order> turnsBack(World world) {
        Acts acts = world.acts();
        acts.rejectAt("refused");
        return SagaDefinition.builder(Order.TYPE)
                .step(acts.undoableLocal("take-1"))
                .step(acts.undoableLocal("take-2"))
                .step(acts.undoable(acts.external("refused").retry(RetryPolicy.none())))
                .build();
    }
}
