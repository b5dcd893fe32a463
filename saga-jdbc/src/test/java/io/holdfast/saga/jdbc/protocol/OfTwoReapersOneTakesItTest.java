package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.spi.StoredSaga;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** B03, §10: a claim that matched nothing means that somebody else has the saga. Never fall through. */
@ProtocolTest
class OfTwoReapersOneTakesItTest {
    private static final int ROUNDS = 200;

    /** By ticks, and by hints, which are the same claim narrowed to one saga: each saga runs once, under number 2. */
    @Test
    void in_two_hundred_races_each_saga_runs_once(World world) throws Exception {
        TestNode a = world.node("a").capacity(ROUNDS).knowing(definition(world));
        TestNode b = world.node("b").capacity(ROUNDS).knowing(definition(world));
        List<StoredSaga> sagas = new Abandoned(world, definition(world), "call").expired(ROUNDS);
        hide(world);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        int claimed = 0;

        for (StoredSaga saga : sagas) {
            world.expireLease(saga.sagaId());
            CyclicBarrier together = new CyclicBarrier(2);
            Future<Integer> byA = threads.submit(racer(together, a));
            Future<Integer> byB = threads.submit(racer(together, b));
            claimed += byA.get() + byB.get();
        }
        threads.shutdown();

        assertThat(claimed).isEqualTo(ROUNDS);
        sagas.forEach(saga -> a.end(saga.sagaId()));
        assertThat(world.effects().count("call", "action")).isEqualTo(ROUNDS);
        assertThat(world.value(Long.class, "SELECT count(*) FROM {saga} WHERE run_seq = 2 AND state = 'COMPLETED'"))
                .isEqualTo(ROUNDS);
    }

    private static Callable<Integer> racer(CyclicBarrier together, TestNode node) {
        return () -> {
            together.await();
            return node.tick().claimed();
        };
    }

    /** Until its round comes no saga is due. */
    private static void hide(World world) {
        world.execute("UPDATE {saga} SET due_at = due_at + interval '1 hour'");
    }

    private static SagaDefinition<Order> definition(World world) {
        return SagaDefinition.builder(Order.TYPE)
                .step(world.acts().undoable("call"))
                .build();
    }
}
