package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.SagaState;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * B25, B30, B33 and B41 (d), §2 and §5, with a JVM that is really killed. The direction is persisted before the first undo runs, and
 * the pivot before its call: whoever takes over goes on that way.
 */
@ProtocolTest
class AKilledNodeIsFollowedInItsDirectionTest {
    private static final Duration LEASE = Duration.ofMinutes(1);

    /** Before an undo, after it and before its record, between two, and before the end. */
    @ParameterizedTest
    @ValueSource(strings = {"undo-call-2", "undo-call-2-done", "undo-call-1", "undo-call-1-done"})
    void backward_whatever_the_undo_had_come_to(String point, World world) {
        OtherNode a = OtherNode.begin(world, "a", Play.TURNS_BACK, LEASE, point);
        UUID saga = a.start("killed at " + point);
        a.awaitArrival(point);
        a.kill();

        // here nothing would be refused: forward it would complete
        Acts acts = world.acts("b");
        var definition = Play.TURNS_BACK.with(acts);
        acts.at("refused", ctx -> {});
        TestNode b = world.node("b").knowing(definition);
        world.expireLease(saga);
        assertThat(b.reapToItsEnd(saga).state()).isEqualTo(SagaState.COMPENSATED);

        var effects = world.effects().of(saga);
        assertThat(effects.stream().distinct())
                .containsExactly(
                        "call-1 action",
                        "call-2 action",
                        "refused action",
                        "call-2 compensation",
                        "call-1 compensation");
        assertThat(effects).hasSizeLessThanOrEqualTo(6);
        world.entry(saga, Kind.TURNED_BACK);
    }

    /** Whether the capture happened nobody knows: it is asked again with its key, and then forward; nothing is undone. */
    @Test
    void forward_when_the_pivot_was_being_asked(World world) {
        OtherNode a = OtherNode.begin(world, "a", Play.PIVOT, LEASE, "capture" + Acts.DONE);
        UUID saga = a.start("killed in the pivot");
        a.awaitArrival("capture" + Acts.DONE);
        a.kill();

        TestNode b = world.node("b").knowing(Play.PIVOT.with(world.acts("b")));
        world.expireLease(saga);
        assertThat(b.reapToItsEnd(saga).state()).isEqualTo(SagaState.COMPLETED);

        world.effects()
                .assertRan(
                        saga, "reserve action", "authorize action", "capture action", "capture action", "ship action");
        assertThat(world.participant().calls(saga, "capture")).isEqualTo(2);
    }

    /** B07: killed while its claim was not committed: nothing is held, and the saga claims again. */
    @Test
    void forward_when_it_died_in_a_local_step(World world) {
        OtherNode a = OtherNode.begin(world, "a", Play.TAKES, LEASE, "take-2" + Acts.DONE);
        UUID saga = a.start("killed in a local step");
        a.awaitArrival("take-2" + Acts.DONE);
        a.kill();

        TestNode b = world.node("b").knowing(Play.TAKES.with(world.acts("b")));
        world.expireLease(saga);
        assertThat(b.reapToItsEnd(saga).state()).isEqualTo(SagaState.COMPLETED);
        world.effects().assertRan(saga, "take-1 action", "take-2 action", "take-2 action");
    }
}
