package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.SagaState;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** B01 and B18, §3 and §7, with a JVM that is really frozen. */
@ProtocolTest
class AFrozenNodeComesBackToNothingTest {
    private static final Duration LEASE = Duration.ofMillis(700);

    /** Its transaction is open while it stands still; what it then writes is refused whole, and said once. */
    @Test
    void what_a_thawed_node_writes_is_refused(World world) {
        OtherNode a = OtherNode.begin(world, "a", Play.TAKES, LEASE, "take-2");
        TestNode b = world.node("b").knowing(Play.TAKES.with(world.acts("b")));
        UUID saga = a.start("frozen");
        a.awaitArrival("take-2");

        a.freeze();
        assertThat(b.reapToItsEnd(saga).state()).isEqualTo(SagaState.COMPLETED);
        var done = world.saga(saga);
        a.thaw();
        a.open("take-2");
        a.awaitLineWith("Lost the lease of");
        a.awaitIdle();

        assertThat(world.saga(saga).position()).isEqualTo(done.position());
        assertThat(world.saga(saga).runSeq()).isEqualTo(2);
        var takeover = world.entry(saga, Kind.TAKEN_OVER);
        assertThat(takeover.node()).isEqualTo("b");
        assertThat(takeover.runSeq()).isEqualTo(2);
        assertThat(takeover.note()).hasValueSatisfying(note -> assertThat(note).contains("from a"));
        assertThat(world.stock()).isEqualTo(8);
    }

    /** B18: without run_seq in the renewal a thawed node keeps alive what is another's, and moves the deadlines of its rows. */
    @Test
    void the_renewals_of_a_thawed_node_renew_nothing(World world) {
        OtherNode a = OtherNode.begin(world, "a", Play.HELD, LEASE, "call");
        TestNode b = world.node("b").withoutHeartbeat().knowing(Play.HELD.with(world.acts("b")));
        world.gates().hold("b:call");
        UUID saga = a.start("renewing");
        a.awaitArrival("call");

        a.freeze();
        b.tickUntil("b has taken it over", () -> world.saga(saga).owner().equals(Optional.of("b")));
        world.gates().awaitArrival("b:call");
        var lease = world.saga(saga).lease();
        String rows = rows(world, saga);
        a.thaw();
        a.awaitBeat();
        a.awaitBeat();
        a.awaitBeat();

        assertThat(world.saga(saga).lease()).isEqualTo(lease);
        assertThat(rows(world, saga)).isEqualTo(rows);
        a.open("call");
        a.awaitIdle();
        world.gates().open("b:call");
        assertThat(b.end(saga).state()).isEqualTo(SagaState.COMPLETED);
        assertThat(world.participant().inEffect(saga)).containsExactly("call");
    }

    private static String rows(World world, UUID saga) {
        return world.value(String.class, "SELECT status || ' ' || locked_until FROM orders WHERE saga_id = ?", saga);
    }
}
