package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.jdbc.testing.OpenTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** B11 and B15, §7: a lease is renewed at a third of it, and with it the deadlines of the rows its saga holds. Slow is not dead. */
@ProtocolTest
class ASlowStepOfAHealthyNodeIsLeftAloneTest {
    private static final Duration LEASE = Duration.ofMillis(1500);

    /** A step that takes two leases, and five times the half of its rows' time. */
    @Test
    void leases_and_rows_outlast_a_slow_step(World world) {
        TestNode a = world.node("a").lease(LEASE).knowing(Play.HELD.with(world.acts("a")));
        TestNode b = world.node("b").knowing(Play.HELD.with(world.acts("b")));
        world.gates().hold("call");
        AtomicInteger beats = new AtomicInteger();
        a.hooks().after("extend", beats::incrementAndGet);
        List<UUID> sagas = new ArrayList<>();
        for (int order = 1; order <= 5; order++) {
            sagas.add(a.start("slow-" + order, order).sagaId());
        }
        world.gates().awaitArrivals("call", 5);
        beats.set(0);

        String begin = world.value(String.class, "SELECT clock_timestamp()::text");
        var locked = world.rows("SELECT id, locked_until FROM orders WHERE status = 'PENDING' ORDER BY id");
        world.waitUntil("two leases have passed", () -> {
            assertThat(b.tick().claimed()).isZero();
            return world.value(
                    Boolean.class, "SELECT clock_timestamp() > cast(? AS timestamptz) + interval '3 seconds'", begin);
        });
        assertThat(beats).hasValueGreaterThan(2);
        assertThat(world.rows("SELECT id, locked_until FROM orders WHERE status = 'PENDING' ORDER BY id"))
                .doesNotContainAnyElementsOf(locked)
                .hasSize(5);
        world.gates().open("call");

        for (UUID saga : sagas) {
            assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPLETED);
            assertThat(world.count(saga, Kind.TAKEN_OVER)).isZero();
        }
        assertThat(world.effects().count("call", "action")).isEqualTo(5);
    }

    /** B15: a renewal that has to wait for the row never leaves a lease that is half over already. */
    @Test
    void a_renewal_that_waited_is_worth_nearly_a_whole_lease(World world) throws Exception {
        Duration lease = Duration.ofSeconds(10);
        TestNode a = world.node("a").lease(lease).withoutHeartbeat().knowing(Play.TAKES.with(world.acts()));
        world.gates().hold("take-1");
        UUID saga = a.start("waits").sagaId();
        world.gates().awaitArrival("take-1");

        try (var keeper = world.store().leaseKeeper();
                var other = OpenTransaction.begin(world.database().dataSource())) {
            other.execute("SELECT 1 FROM saga.saga WHERE saga_id = ? FOR UPDATE", saga);
            var renewal = CompletableFuture.supplyAsync(() -> keeper.renew(Map.of(saga, 1L), lease));
            other.awaitWaiters(1);
            String released = other.value(String.class, "SELECT clock_timestamp()::text");
            other.commit();
            boolean renewed = renewal.get().containsKey(saga);
            // it gives up after a tenth of the lease, so what it writes is never worth less than nine
            assertThat(world.value(
                            Boolean.class,
                            "SELECT due_at >= cast(? AS timestamptz) + interval '9 seconds' FROM {saga}",
                            released))
                    .isEqualTo(renewed);
        }
    }
}
