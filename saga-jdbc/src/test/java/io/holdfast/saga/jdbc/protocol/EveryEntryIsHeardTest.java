package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.jdbc.testing.TcpProxy;
import io.holdfast.saga.spi.StoredEntry;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A listener hears what its node has written, after the commit, once, in order; and whatever it does breaks nothing. */
@ProtocolTest
class EveryEntryIsHeardTest {
    @Test
    void from_the_start_to_the_end_in_order(World world) {
        TestNode a = world.node("a").knowing(Play.TURNS_BACK.with(world.acts()));
        UUID saga = a.start("all").sagaId();
        a.end(saga);
        world.waitUntil("a is through", () -> a.engine().active() == 0);

        assertHeardAll(world, a, saga);
        List<Heard.One> heard = a.heard().all();
        assertThat(heard.get(heard.size() - 1).saga().state()).isEqualTo(SagaState.COMPENSATED);
    }

    /** Each node tells its own; together they have told everything, a takeover included. */
    @Test
    void by_the_node_that_wrote_it(World world) {
        TestNode a = world.node("a").withoutHeartbeat().knowing(Play.TAKES.with(world.acts("a")));
        TestNode b = world.node("b").knowing(Play.TAKES.with(world.acts("b")));
        world.gates().hold("a:take-2");
        UUID saga = a.start("two nodes").sagaId();
        world.gates().awaitArrival("a:take-2");
        world.expireLease(saga);
        b.reapToItsEnd(saga);
        world.gates().open("a:take-2");
        world.waitUntil(
                "both are through", () -> a.engine().active() + b.engine().active() == 0);

        assertHeardAll(world, a, saga);
        assertHeardAll(world, b, saga);
        assertThat(b.heard().all().get(0).entry().kind()).isEqualTo(Kind.TAKEN_OVER);
    }

    /** It throws, even an Error, at each entry: the saga goes on, and so do the other listeners. */
    @Test
    void a_listener_that_throws_breaks_nothing(World world) {
        CountDownLatch second = new CountDownLatch(4);
        TestNode a = world.node("a")
                .listener((saga, entry) -> {
                    throw new AssertionError("planned");
                })
                .listener((saga, entry) -> {
                    second.countDown();
                    throw new IllegalStateException("planned");
                })
                .knowing(Play.TAKES.with(world.acts()));

        assertThat(a.runToItsEnd("throws").state()).isEqualTo(SagaState.COMPLETED);
        world.waitUntil("the second has heard all", () -> second.getCount() == 0);
    }

    @Test
    void also_when_the_answer_to_its_commit_was_lost(World world) {
        try (TcpProxy network = TcpProxy.to(world.database())) {
            TestNode a = world.node("a")
                    .on(world.database().via(network).dataSource())
                    .knowing(Play.TAKES.with(world.acts()));
            var cut = network.cutAfterCommitIsForwarded(1);
            UUID saga = a.start("lost answer").sagaId();
            cut.awaitHappened();
            a.end(saga);
            world.waitUntil("a is through", () -> a.engine().active() == 0);
            assertHeardAll(world, a, saga);
        }
    }

    /** The commit has ended the saga, so that there is nothing left to fence: it is this node's own all the same. */
    @Test
    void also_when_the_answer_to_its_last_commit_was_lost(World world) {
        try (TcpProxy network = TcpProxy.to(world.database())) {
            TestNode a = world.node("a")
                    .on(world.database().via(network).dataSource())
                    .knowing(Play.TAKES.with(world.acts()));
            var cut = network.cutAfterCommitIsForwarded(2);
            UUID saga = a.start("lost end").sagaId();
            cut.awaitHappened();
            a.end(saga);
            world.waitUntil("a is through", () -> a.engine().active() == 0);
            assertHeardAll(world, a, saga);
        }
    }

    @Test
    void also_what_comes_too_late(World world) {
        SagaDefinition<Order> calls = SagaDefinition.builder(Order.TYPE)
                .step(world.acts("a").undoable("call"))
                .build();
        TestNode a = world.node("a").withoutHeartbeat().knowing(calls);
        TestNode b = world.node("b")
                .knowing(SagaDefinition.builder(Order.TYPE)
                        .step(world.acts("b").undoable("call"))
                        .build());
        world.gates().hold("a:call");
        UUID saga = a.start("late").sagaId();
        world.gates().awaitArrival("a:call");
        world.expireLease(saga);
        b.reapToItsEnd(saga);
        world.gates().open("a:call");
        world.waitUntil("it is written", () -> world.count(saga, Kind.LATE) == 1);
        world.waitUntil("a is through", () -> a.engine().active() == 0);
        assertHeardAll(world, a, saga);
    }

    /** The canceller's thread is slow to tell; the thread that drives the saga tells what follows. */
    @Test
    void in_order_also_around_a_cancel(World world) throws InterruptedException {
        TestNode a = world.node("a").knowing(Play.TAKES.with(world.acts()));
        world.gates().hold("take-2");
        UUID saga = a.start("cancelled").sagaId();
        world.gates().awaitArrival("take-2");
        AtomicBoolean cancelling = new AtomicBoolean();
        CountDownLatch ended = new CountDownLatch(1);
        a.hooks().after("cancel", () -> {
            cancelling.set(true);
            world.gates().open("take-2");
            await(ended);
        });
        Thread canceller = new Thread(() -> a.engine().handle(saga).cancel("no"));
        canceller.start();
        world.waitUntil("it is undone", () -> world.saga(saga).state() == SagaState.COMPENSATED);
        world.waitUntil("a is through", () -> a.engine().active() == 0);
        ended.countDown();
        canceller.join(10_000);

        assertThat(cancelling).isTrue();
        assertHeardAll(world, a, saga);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void assertHeardAll(World world, TestNode node, UUID saga) {
        List<Long> written = world.journal(saga).stream()
                .filter(entry -> entry.node().equals(node.owner()))
                .map(StoredEntry::seq)
                .toList();
        assertThat(node.heard().numbers(saga)).containsExactlyElementsOf(written);
    }
}
