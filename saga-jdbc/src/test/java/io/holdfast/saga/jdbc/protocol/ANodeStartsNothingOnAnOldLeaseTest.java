package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/**
 * §7: a node starts no step with less than a third of its own idea of the lease left, by its monotonic clock and by its wall clock, of
 * which the first stops while a machine sleeps. It renews first; where it cannot, it starts nothing.
 */
@ProtocolTest
class ANodeStartsNothingOnAnOldLeaseTest {
    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final Duration MOST_OF_IT = Duration.ofSeconds(15);

    private final ShiftedClock clock = new ShiftedClock();
    private final List<String> order = new CopyOnWriteArrayList<>();

    @Test
    void time_that_nobody_saw_makes_it_renew_before_the_next_step(World world) {
        assertThat(order(world, () -> clock.pass(MOST_OF_IT))).containsExactly("call-1", "renewed", "call-2");
    }

    @Test
    void a_machine_that_slept_renews_before_the_next_step(World world) {
        assertThat(order(world, () -> clock.wall(MOST_OF_IT))).containsExactly("call-1", "renewed", "call-2");
    }

    @Test
    void with_enough_left_it_just_goes_on(World world) {
        assertThat(order(world, () -> clock.pass(Duration.ofSeconds(5)))).containsExactly("call-1", "call-2");
    }

    private List<String> order(World world, Runnable between) {
        TestNode a = node(world, between);
        a.hooks().after("renew", () -> order.add("renewed"));
        UUID saga = a.start("order").sagaId();
        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPLETED);
        return order;
    }

    /** Another node has it by then: without the look at the lease the call would be made all the same. */
    @Test
    void what_was_taken_over_meanwhile_is_not_begun(World world) {
        TestNode a = node(world, () -> clock.pass(MOST_OF_IT));
        TestNode b = world.node("b").withoutHeartbeat().knowing(definition(world.acts("b")));
        world.gates().hold("b:call-2");
        // behind the commit of the first step's outcome, before the second begins
        a.hooks().after("move", () -> {
            if (order.size() == 1) {
                UUID saga = a.engine().handle(Order.TYPE, "taken over").sagaId();
                world.expireLease(saga);
                assertThat(b.tick().takenOver()).isEqualTo(1);
                world.gates().awaitArrival("b:call-2");
            }
        });
        UUID saga = a.start("taken over").sagaId();
        world.waitUntil("a has let go", () -> !order.isEmpty() && a.engine().active() == 0);
        assertThat(order).containsExactly("call-1");

        world.gates().open("b:call-2");
        assertThat(b.end(saga).state()).isEqualTo(SagaState.COMPLETED);
        assertThat(world.participant().calls(saga, "call-2")).isEqualTo(1);
    }

    /** The database does not answer: nothing is begun that nobody could know the right to. */
    @Test
    void a_node_that_is_cut_off_begins_nothing(World world) {
        TestNode a = node(world, () -> clock.pass(MOST_OF_IT));
        a.hooks().after("move", () -> {
            if (order.size() == 1) {
                a.hooks().cutOff();
            }
        });
        UUID saga = a.start("cut off").sagaId();
        world.waitUntil("a has let go", () -> !order.isEmpty() && a.engine().active() == 0);
        assertThat(order).containsExactly("call-1");
        assertThat(world.saga(saga).step()).isEqualTo("call-2");

        TestNode b = world.node("b").knowing(definition(world.acts("b")));
        world.expireLease(saga);
        assertThat(b.reapToItsEnd(saga).state()).isEqualTo(SagaState.COMPLETED);
    }

    private TestNode node(World world, Runnable between) {
        Acts acts = world.acts("a");
        acts.at("call-1", ctx -> order.add("call-1"));
        acts.at("call-1" + Acts.DONE, ctx -> between.run());
        acts.at("call-2", ctx -> order.add("call-2"));
        return world.node("a").lease(LEASE).waiting(clock).withoutHeartbeat().knowing(definition(acts));
    }

    private static SagaDefinition<Order> definition(Acts acts) {
        return SagaDefinition.builder(Order.TYPE)
                .step(acts.undoable("call-1"))
                .step(acts.undoable("call-2"))
                .build();
    }
}
