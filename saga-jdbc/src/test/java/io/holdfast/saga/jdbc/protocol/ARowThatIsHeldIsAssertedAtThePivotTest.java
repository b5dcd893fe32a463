package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.jdbc.lock.SemanticLock;
import io.holdfast.saga.jdbc.testing.StatementCut;
import io.holdfast.saga.jdbc.testing.TcpProxy;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * B07, B50 and B58, §5 and §9, through the engine: a claim and its journal entry are one commit, the pivot begins only where every
 * row is held still, and nobody else's row is touched.
 */
@ProtocolTest
class ARowThatIsHeldIsAssertedAtThePivotTest {
    private static final UUID STRANGER = UUID.randomUUID();

    /** B07: the answer to the claim's commit is lost: the row is the saga's, and is neither claimed twice nor leaked. */
    @Test
    void a_claim_whose_answer_was_lost_is_released_like_any_other(World world) {
        Acts acts = world.acts();
        acts.rejectAt("call");
        try (TcpProxy network = TcpProxy.to(world.database())) {
            TestNode a = world.node("a")
                    .on(world.database().via(network).dataSource())
                    .knowing(external(acts));
            StatementCut cut = network.cutAfterCommitIsForwarded(1);
            UUID saga = a.start("lost").sagaId();
            cut.awaitHappened();
            assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPENSATED);
            assertThat(world.count(saga, Kind.STEP_DONE)).isEqualTo(1);
        }
        assertThat(order(world)).isEqualTo("NEW free");
    }

    /** B07: taken over with the claim committed, and turned back there: the new owner restores the row at once. */
    @Test
    void a_node_that_takes_over_releases_what_the_former_one_claimed(World world) {
        Acts there = world.acts("b");
        there.rejectAt("call");
        TestNode a = world.node("a").withoutHeartbeat().knowing(external(world.acts("a")));
        TestNode b = world.node("b").knowing(external(there));
        world.gates().hold("a:call");
        UUID saga = a.start("claimed").sagaId();
        world.gates().awaitArrival("a:call");
        assertThat(order(world)).startsWith("PENDING " + saga);

        world.expireLease(saga);
        assertThat(b.reapToItsEnd(saga).state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(order(world)).isEqualTo("NEW free");
    }

    /** B58: without the assertion at the pivot the money would be taken for an order that is somebody else's by now. */
    @Test
    void an_external_pivot_is_not_called_when_the_row_was_lost(World world) {
        assertLostBefore(world, external(world.acts()));
        assertThat(world.effects().count("capture", "action")).isZero();
    }

    @Test
    void a_local_pivot_is_rolled_back_when_the_row_was_lost(World world) {
        assertLostBefore(world, local(world.acts()));
        assertThat(world.stock()).isEqualTo(10);
    }

    private static void assertLostBefore(World world, SagaDefinition<Order> definition) {
        TestNode a = world.node("a").knowing(definition);
        world.gates().hold("call");
        UUID saga = a.start("lost").sagaId();
        world.gates().awaitArrival("call");
        world.execute("UPDATE orders SET saga_id = ?, status = 'STOLEN' WHERE id = 1", STRANGER);
        world.gates().open("call");

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(world.count(saga, Kind.PIVOT_BEGUN)).isZero();
        assertThat(order(world)).isEqualTo("STOLEN " + STRANGER); // the undo of the claim has left it alone
    }

    /** The mutation "expired = free": a deadline that has passed frees no row whose holder is alive. */
    @Test
    void a_deadline_that_has_passed_does_not_free_the_row(World world) {
        TestNode a = world.node("a").knowing(external(world.acts("a")));
        TestNode b = world.node("b").knowing(external(world.acts("b")));
        world.gates().hold("a:call");
        UUID holder = a.start("holder").sagaId();
        world.gates().awaitArrival("a:call");
        world.execute("UPDATE orders SET locked_until = clock_timestamp() - interval '1 minute' WHERE id = 1");

        UUID other = b.start("other").sagaId();
        assertThat(b.end(other).state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(order(world)).startsWith("PENDING " + holder);
        world.gates().open("a:call");
        assertThat(a.end(holder).state()).isEqualTo(SagaState.COMPLETED);
        assertThat(order(world)).isEqualTo("DONE free");
    }

    /** Parking extends the rows' deadlines to the wake-up and a lease more: nobody renews them meanwhile. */
    @Test
    void a_pause_is_outlasted_by_the_deadlines_of_its_rows(World world) {
        Acts acts = world.acts();
        acts.failAt("call", 1);
        SemanticLock<Order> order = Play.orders(acts).deadline(Duration.ofSeconds(5));
        TestNode a = world.node("a")
                .knowing(SagaDefinition.builder(Order.TYPE)
                        .step(order.claim("claim"))
                        .step(acts.undoable(acts.external("call").retry(RetryPolicy.fixed(Duration.ofHours(1)))))
                        .pivot(acts.external("capture"))
                        .then(order.release("release", "DONE"))
                        .build());
        UUID saga = a.start("parked").sagaId();
        world.waitUntil("it is parked", () -> world.saga(saga).owner().isEmpty());

        assertThat(world.value(
                        Boolean.class,
                        "SELECT o.locked_until >= s.due_at + interval '19 seconds' FROM orders o JOIN {saga} s USING"
                                + " (saga_id)"))
                .isTrue();
        world.expireLease(saga);
        assertThat(a.reapToItsEnd(saga).state()).isEqualTo(SagaState.COMPLETED);
    }

    private static String order(World world) {
        return world.value(
                String.class, "SELECT status || ' ' || coalesce(saga_id::text, 'free') FROM orders WHERE id = 1");
    }

    private static SagaDefinition<Order> external(Acts acts) {
        SemanticLock<Order> order = Play.orders(acts);
        return SagaDefinition.builder(Order.TYPE)
                .step(order.claim("claim"))
                .step(acts.undoable("call"))
                .pivot(acts.external("capture"))
                .then(order.release("release", "DONE"))
                .build();
    }

    private static SagaDefinition<Order> local(Acts acts) {
        SemanticLock<Order> order = Play.orders(acts);
        return SagaDefinition.builder(Order.TYPE)
                .step(order.claim("claim"))
                .step(acts.undoable("call"))
                .pivot(acts.local("take"))
                .then(order.release("release", "DONE"))
                .build();
    }
}
