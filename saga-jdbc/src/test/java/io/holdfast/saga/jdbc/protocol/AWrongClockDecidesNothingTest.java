package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.spi.StoredSaga;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** B16, §7: the database's clock decides on leases, pauses and deadlines; a node's own may be minutes off. */
@ProtocolTest
class AWrongClockDecidesNothingTest {
    private static final Duration LEASE = Duration.ofSeconds(30);

    /** Three minutes ahead it takes nothing that lives; three minutes behind, what it holds is not taken from it. */
    @ParameterizedTest
    @ValueSource(ints = {180, -180})
    void neither_takes_nor_loses_a_lease_by_it(int seconds, World world) {
        SagaDefinition<Order> definition = definition(world.acts());
        TestNode a = world.node("a").lease(LEASE).knowing(definition);
        TestNode b = world.node("b")
                .lease(LEASE)
                .waiting(new ShiftedClock().wall(Duration.ofSeconds(seconds)))
                .knowing(definition);
        world.gates().hold("call");
        UUID ofA = a.start("of a").sagaId();
        UUID ofB = b.start("of b").sagaId();
        world.gates().awaitArrivals("call", 2);

        assertThat(b.tick().claimed()).isZero();
        assertThat(a.tick().claimed()).isZero();
        assertThat(leaseLeft(world.saga(ofB))).isBetween(LEASE.minusSeconds(20), LEASE);

        world.gates().open("call");
        assertThat(a.end(ofA).state()).isEqualTo(SagaState.COMPLETED);
        assertThat(b.end(ofB).state()).isEqualTo(SagaState.COMPLETED);
    }

    /** What it abandons is taken up when the lease is over, not minutes later; what it parks wakes up in time. */
    @Test
    void what_it_leaves_behind_is_due_in_database_time(World world) {
        Acts acts = world.acts();
        SagaDefinition<Order> definition = definition(acts);
        TestNode a = world.node("a").knowing(definition);
        TestNode b = world.node("b")
                .lease(LEASE)
                .waiting(new ShiftedClock().wall(Duration.ofMinutes(-3)))
                .knowing(definition);
        acts.failAt("call", 1);
        UUID saga = b.start("parked").sagaId();
        world.waitUntil("it is parked", () -> world.saga(saga).owner().isEmpty());

        assertThat(leaseLeft(world.saga(saga))).isBetween(Duration.ofSeconds(40), Duration.ofSeconds(60));
        world.expireLease(saga);
        assertThat(a.reapToItsEnd(saga).state()).isEqualTo(SagaState.COMPLETED);
    }

    /** A clock that is set while a saga runs costs a renewal and nothing else. */
    @Test
    void a_clock_that_is_set_meanwhile_costs_nothing(World world) {
        ShiftedClock clock = new ShiftedClock();
        Acts acts = world.acts();
        acts.at("call", ctx -> clock.wall(Duration.ofHours(1)));
        acts.at("call" + Acts.DONE, ctx -> clock.wall(Duration.ofHours(-1)));
        TestNode a = world.node("a").waiting(clock).knowing(definition(acts));

        assertThat(a.runToItsEnd("set").state()).isEqualTo(SagaState.COMPLETED);
    }

    private static Duration leaseLeft(StoredSaga saga) {
        return Duration.between(saga.readAt(), saga.dueAt().orElseThrow());
    }

    private static SagaDefinition<Order> definition(Acts acts) {
        return SagaDefinition.builder(Order.TYPE)
                .step(acts.undoable(acts.external("call").retry(RetryPolicy.fixed(Duration.ofMinutes(1)))))
                .step(acts.undoable("call-2"))
                .build();
    }
}
