package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.internal.Engine;
import io.holdfast.saga.jdbc.testing.OpenTransaction;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.spi.StoredSaga;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** B02, §10: the claim looks again at what it takes, in the statement that takes it. */
@ProtocolTest
class AReaperTakesOnlyWhatIsStillDueTest {
    private static final int GATE = 42;

    /** Owners who renew while the reaper looks. Without SKIP LOCKED and the second look their sagas are taken from them. */
    @Test
    void what_is_renewed_meanwhile_stays_with_its_owner(World world) {
        SagaDefinition<Order> definition = definition(world);
        TestNode b = world.node("b").capacity(50).knowing(definition);
        List<StoredSaga> sagas = new Abandoned(world, definition, "call").expired(50);

        try (var renewal = OpenTransaction.begin(world.database().dataSource())) {
            for (StoredSaga saga : sagas.subList(0, 10)) {
                renewal.execute(
                        "UPDATE saga.saga SET due_at = clock_timestamp() + interval '1 minute' WHERE saga_id = ?",
                        saga.sagaId());
            }
            assertThat(b.tick()).isEqualTo(new Engine.Pass(40, 40));
            renewal.commit();
        }

        assertThat(b.tick()).isEqualTo(new Engine.Pass(0, 0));
        for (StoredSaga saga : sagas.subList(0, 10)) {
            assertThat(world.saga(saga.sagaId()).owner()).contains(Abandoned.NODE);
            assertThat(world.story(saga.sagaId())).containsExactly("STARTED call");
        }
        for (StoredSaga saga : sagas.subList(10, 50)) {
            assertThat(b.end(saga.sagaId()).state()).isEqualTo(SagaState.COMPLETED);
        }
    }

    /** Owners who finish in the middle of the claim: each saga is either theirs or the reaper's, never both. */
    @Test
    void what_is_finished_meanwhile_stays_finished(World world) throws Exception {
        SagaDefinition<Order> definition = definition(world);
        TestNode b = world.node("b").capacity(50).knowing(definition);
        Abandoned abandoned = new Abandoned(world, definition, "call");
        List<StoredSaga> sagas = abandoned.expired(50);
        stopClaimsHalfWay(world);
        var threads = Executors.newFixedThreadPool(2);

        long finished;
        Engine.Pass pass;
        try (var gate = OpenTransaction.begin(world.database().dataSource())) {
            gate.value(String.class, "SELECT pg_advisory_xact_lock(" + GATE + ")::text");
            var claim = CompletableFuture.supplyAsync(b::tick, threads);
            gate.awaitWaiters(1);
            var owners = CompletableFuture.supplyAsync(
                    () -> sagas.subList(40, 50).stream()
                            .filter(abandoned::finish)
                            .count(),
                    threads);
            world.waitUntil(
                    "the owners are through, or wait for the claim", () -> owners.isDone() || waiting(world) > 1);
            gate.commit();
            pass = claim.get();
            finished = owners.get();
        }

        assertThat(pass.takenOver() + finished).isEqualTo(50);
        for (StoredSaga saga : sagas) {
            boolean taken = world.count(saga.sagaId(), Kind.TAKEN_OVER) == 1;
            b.end(saga.sagaId());
            assertThat(world.effects().of(saga.sagaId())).hasSize(taken ? 1 : 0);
            assertThat(world.saga(saga.sagaId()).runSeq()).isEqualTo(taken ? 2 : 1);
            assertThat(world.saga(saga.sagaId()).state()).isEqualTo(SagaState.COMPLETED);
        }
        threads.shutdown();
    }

    private static SagaDefinition<Order> definition(World world) {
        return SagaDefinition.builder(Order.TYPE)
                .step(world.acts().undoable("call"))
                .build();
    }

    private static long waiting(World world) {
        return world.value(Long.class, "SELECT count(*) FROM pg_locks WHERE NOT granted");
    }

    /** Between two rows, where the claim waits for the test. */
    private static void stopClaimsHalfWay(World world) {
        Sql.execute(world.database().dataSource(), """
                CREATE FUNCTION half_way() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF OLD.owner = 'gone' AND NEW.owner = 'b' THEN PERFORM pg_advisory_xact_lock_shared(%d); END IF;
                    RETURN NEW;
                END $$;
                CREATE TRIGGER half_way BEFORE UPDATE ON saga.saga FOR EACH ROW EXECUTE FUNCTION half_way();
                """.formatted(GATE));
    }
}
