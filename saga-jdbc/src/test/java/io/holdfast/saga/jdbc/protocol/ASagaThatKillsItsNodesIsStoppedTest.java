package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.internal.Engine;
import io.holdfast.saga.spi.StoredSaga;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * B98, §10: from the second takeover without an outcome on a saga is parked with backoff, at the limit it is stuck: it may be killing
 * its nodes. An outcome begins the count anew.
 */
@ProtocolTest
class ASagaThatKillsItsNodesIsStoppedTest {
    private static final Duration LEASE = Duration.ofSeconds(20);

    @Test
    void from_the_second_takeover_on_it_waits_and_at_the_limit_it_is_stuck(World world) {
        world.gates().hold("call-1");
        UUID saga = node(world, "n1").start("poison").sagaId();
        world.gates().awaitArrivals("call-1", 1);

        TestNode n2 = dies(world, saga, "n2");
        assertThat(n2.tick()).isEqualTo(new Engine.Pass(1, 1));
        world.gates().awaitArrivals("call-1", 2);

        TestNode n3 = dies(world, saga, "n3");
        assertThat(n3.tick()).isEqualTo(new Engine.Pass(1, 1));
        world.waitUntil("it is parked", () -> world.count(saga, Kind.PARKED) == 1);
        StoredSaga parked = world.saga(saga);
        assertThat(parked.owner()).isEmpty();
        assertThat(parked.takeovers()).isEqualTo(2);
        assertThat(Duration.between(parked.readAt(), parked.dueAt().orElseThrow()))
                .isBetween(LEASE.minusSeconds(15), LEASE);
        assertThat(world.gates().arrivals("call-1")).isEqualTo(2);

        TestNode n4 = dies(world, saga, "n4"); // its pause is over
        assertThat(n4.tick()).isEqualTo(new Engine.Pass(1, 0));
        world.gates().awaitArrivals("call-1", 3);

        TestNode n5 = dies(world, saga, "n5");
        n5.tick();
        world.waitUntil("it is stuck", () -> world.saga(saga).state() == SagaState.STUCK);
        assertThat(world.entry(saga, Kind.STUCK).error())
                .hasValueSatisfying(error -> assertThat(error).contains("SAGA-305"));
        assertThat(world.gates().arrivals("call-1")).isEqualTo(3);
        assertThat(n5.tick().claimed()).isZero();
    }

    @Test
    void an_outcome_begins_the_count_anew(World world) {
        world.gates().hold("call-1");
        world.gates().hold("call-2");
        UUID saga = node(world, "n1").start("recovers").sagaId();
        world.gates().awaitArrivals("call-1", 1);
        TestNode n2 = dies(world, saga, "n2");
        n2.tick();
        world.gates().awaitArrivals("call-1", 2);
        assertThat(world.saga(saga).takeovers()).isEqualTo(1);

        world.gates().open("call-1");
        world.gates().awaitArrival("call-2");
        assertThat(world.saga(saga).takeovers()).isZero();
        world.gates().open("call-2");
        assertThat(n2.end(saga).state()).isEqualTo(SagaState.COMPLETED);
    }

    /** Whoever has it is silent for a lease; another node comes. */
    private static TestNode dies(World world, UUID saga, String next) {
        world.expireLease(saga);
        return node(world, next);
    }

    private static TestNode node(World world, String name) {
        Acts acts = world.acts(name);
        return world.node(name)
                .lease(LEASE)
                .takeovers(3)
                .withoutHeartbeat()
                .knowing(SagaDefinition.builder(Order.TYPE)
                        .step(acts.undoable("call-1"))
                        .step(acts.undoable("call-2"))
                        .build());
    }
}
