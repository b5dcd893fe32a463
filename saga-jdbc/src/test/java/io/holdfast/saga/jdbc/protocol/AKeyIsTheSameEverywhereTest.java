package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.jdbc.testing.Effect;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * B08, §11: one key per incarnation, step and direction, on every attempt and every node. The standing checks compare all keys that
 * were presented.
 */
@ProtocolTest
class AKeyIsTheSameEverywhereTest {
    /** The provider answers when nobody listens any more, three times each way: one charge, one refund. */
    @Test
    void answers_that_come_too_late_move_money_once(World world) {
        TestNode a = world.node("a").knowing(definition(world.acts("a"), true));
        UUID saga = a.start("timeouts").sagaId();

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(world.participant().calls(saga, "charge")).isEqualTo(3);
        assertThat(world.participant().undos(saga, "charge")).isEqualTo(3);
        assertThat(keys(world, saga, "charge")).hasSize(2);
    }

    /** Without the incarnation in its row a node that takes over would make up another key. */
    @Test
    void another_node_presents_the_same_key(World world) {
        TestNode a = world.node("a").withoutHeartbeat().knowing(definition(world.acts("a"), false));
        TestNode b = world.node("b").knowing(definition(world.acts("b"), false));
        world.gates().hold("a:charge" + Acts.DONE);
        UUID saga = a.start("taken-over").sagaId();
        world.gates().awaitArrival("a:charge" + Acts.DONE);

        world.expireLease(saga);
        assertThat(b.reapToItsEnd(saga).state()).isEqualTo(SagaState.COMPENSATED);

        assertThat(world.participant().calls(saga, "charge")).isEqualTo(2);
        assertThat(keys(world, saga, "charge")).hasSize(2);
    }

    /** Not the saga's id: whoever starts anew under a key that was purged must not be given the answers of the old one. */
    @Test
    void a_saga_started_anew_under_a_purged_key_has_keys_of_its_own(World world) {
        TestNode a = world.node("a")
                .knowing(SagaDefinition.builder(Order.TYPE)
                        .step(world.acts().undoable("call"))
                        .build());
        UUID saga = a.start("purged").sagaId();
        a.end(saga);
        List<String> before = keys(world, saga, "call");
        world.execute("DELETE FROM {log}");
        world.execute("DELETE FROM {saga}");
        world.execute("DELETE FROM effect");

        assertThat(a.start("purged").sagaId()).isEqualTo(saga);
        a.end(saga);
        assertThat(keys(world, saga, "call")).hasSize(1).doesNotContainAnyElementsOf(before);
    }

    private static List<String> keys(World world, UUID saga, String step) {
        return world.effects().all().stream()
                .filter(effect -> effect.sagaId().equals(saga) && effect.step().equals(step))
                .map(Effect::idempotencyKey)
                .distinct()
                .toList();
    }

    /** A charge that is refunded because the next step is refused; where asked for, two of three answers do not come, each way. */
    private static SagaDefinition<Order> definition(Acts acts, boolean late) {
        acts.rejectAt("refused");
        if (late) {
            for (String place : List.of("charge" + Acts.DONE, Acts.UNDO + "charge" + Acts.DONE)) {
                acts.at(place, ctx -> {
                    if (ctx.attempt() < 3) {
                        new CountDownLatch(1).await();
                    }
                });
            }
        }
        RetryPolicy soon = RetryPolicy.fixed(Duration.ofMillis(10));
        Duration timeout = late ? Duration.ofMillis(300) : Duration.ofSeconds(30);
        return SagaDefinition.builder(Order.TYPE)
                .step(acts.undoable(acts.external("charge").retry(soon).timeout(timeout))
                        .compensationRetry(soon))
                .step(acts.undoable("refused"))
                .build();
    }
}
