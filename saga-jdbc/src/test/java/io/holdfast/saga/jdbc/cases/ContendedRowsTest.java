package io.holdfast.saga.jdbc.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.cases.Shop.Order;
import io.holdfast.saga.jdbc.lock.SemanticLock;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** B51, B62 and §9: several sagas want the same rows. */
@PostgresTest
class ContendedRowsTest {
    private static final SagaType<Order> TAKER = SagaType.of("taker", 1, Order.class);

    private static SemanticLock<Order> lock() {
        return Shop.STEPS.lock(Shop.ORDERS, Order::id).from("NEW").pending("PENDING");
    }

    @Test
    @DisplayName(
            "B62: 40 sagas of two nodes on one row, with a lock that waits, are all done, and none was tried twice")
    void allWaitForTheirTurn(TestDatabase database) {
        AtomicInteger done = new AtomicInteger();
        SemanticLock<Order> lock = lock().waiting(Duration.ofMinutes(2));
        SagaDefinition<Order> definition = SagaDefinition.builder(Shop.ORDER)
                .step(lock.claim("claim"))
                .step(Shop.STEPS.external("work", ctx -> done.incrementAndGet()).noCompensation("counts"))
                .pivot(lock.releaseAsBefore("release"))
                .build();
        try (Shop shop = new Shop(database);
                JdbcSagas one = shop.engine(definition);
                JdbcSagas two = shop.engine(definition)) {
            List<SagaHandle> sagas = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                sagas.add((i % 2 == 0 ? one : two).start(Shop.ORDER, "saga-" + i, new Order(1, "x")));
            }
            sagas.forEach(saga -> assertThat(
                            saga.await(Duration.ofMinutes(2)).orElseThrow().state())
                    .isEqualTo(SagaState.COMPLETED));
            assertThat(done).hasValue(40);
            assertThat(shop.value("select count(*) from holdfast.saga_log where kind like '%FAILED'"))
                    .isEqualTo("0");
            assertThat(shop.value("select status || coalesce(saga_id::text, '-') from orders where id = 1"))
                    .isEqualTo("NEW-");
        }
    }

    @Test
    @DisplayName("B51: of two sagas that each hold what the other wants, the older waits and the younger is undone")
    void theYoungerDies(TestDatabase database) {
        CyclicBarrier bothHoldOne = new CyclicBarrier(2);
        SemanticLock<Order> own = lock();
        SemanticLock<Order> other = Shop.STEPS
                .lock(Shop.ORDERS, (Order order) -> 3 - order.id())
                .from("NEW")
                .pending("PENDING")
                .waiting(Duration.ofMinutes(1));
        SagaDefinition<Order> definition = SagaDefinition.builder(Shop.ORDER)
                .step(own.claim("own"))
                .step(Shop.STEPS
                        .external("meet", ctx -> bothHoldOne.await(20, TimeUnit.SECONDS))
                        .noCompensation("meets"))
                .step(other.claim("other"))
                .pivot(other.releaseAsBefore("free-other"))
                .then(own.releaseAsBefore("free-own"))
                .build();
        try (Shop shop = new Shop(database);
                JdbcSagas sagas = shop.engine(definition)) {
            SagaHandle older = sagas.start(Shop.ORDER, "older", new Order(1, "x"));
            SagaHandle younger = sagas.start(Shop.ORDER, "younger", new Order(2, "x"));
            assertThat(older.await(Shop.SOON).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
            assertThat(younger.await(Shop.SOON).orElseThrow().state()).isEqualTo(SagaState.COMPENSATED);
            assertThat(younger.snapshot().orElseThrow().lastError().orElseThrow())
                    .contains("SAGA-401")
                    .contains(older.sagaId().toString());
            assertThat(shop.value("select count(*) from orders where status = 'NEW' and saga_id is null and id < 3"))
                    .isEqualTo("2");
        }
    }

    @Test
    @DisplayName(
            "§9 takeOverExpired: the holder of an expired row is turned back, keeps its hands off the row, and its work is undone")
    void theHolderIsTurnedBack(TestDatabase database) {
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger undone = new AtomicInteger();
        SemanticLock<Order> held = lock().takeOverExpired();
        SagaDefinition<Order> holds = SagaDefinition.builder(Shop.ORDER)
                .step(held.claim("claim"))
                .step(Shop.STEPS
                        .external("work", ctx -> {
                            working.countDown();
                            goOn.await();
                        })
                        .compensatedBy((ctx, none) -> undone.incrementAndGet()))
                .pivot(held.release("release", "HELD"))
                .build();
        SemanticLock<Order> taken = lock().takeOverExpired();
        SagaDefinition<Order> takes = SagaDefinition.builder(TAKER)
                .step(taken.claim("claim"))
                .pivot(taken.release("release", "TAKEN"))
                .build();
        try (Shop shop = new Shop(database);
                JdbcSagas sagas = shop.engine(holds, takes)) {
            SagaHandle holder = sagas.start(Shop.ORDER, "holder", new Order(1, "x"));
            awaitQuietly(working);
            Sql.execute(shop.pool, "update orders set locked_until = clock_timestamp() - interval '1 s' where id = 1");

            SagaHandle taker = sagas.start(TAKER, "taker", new Order(1, "x"));
            assertThat(taker.await(Shop.SOON).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
            assertThat(holder.snapshot().orElseThrow().state()).isEqualTo(SagaState.COMPENSATING);
            goOn.countDown();
            assertThat(holder.await(Shop.SOON).orElseThrow().state()).isEqualTo(SagaState.COMPENSATED);
            assertThat(undone).hasValue(1);
            assertThat(shop.value("select status from orders where id = 1")).isEqualTo("TAKEN");
        }
    }

    @Test
    @DisplayName("§9 takeOverExpired: a local step asserts its rows, and turns the saga back when they are lost")
    void aLocalStepAssertsItsRows(TestDatabase database) {
        AtomicInteger worked = new AtomicInteger();
        SemanticLock<Order> held = lock().takeOverExpired();
        SagaDefinition<Order> holds = SagaDefinition.builder(Shop.ORDER)
                .step(held.claim("claim"))
                .step(Shop.STEPS.external("lose", ctx -> lose(database)).noCompensation("somebody else's doing"))
                .step(Shop.STEPS.local("work", ctx -> worked.incrementAndGet()).noCompensation("counts"))
                .pivot(held.release("release", "HELD"))
                .build();
        try (Shop shop = new Shop(database);
                JdbcSagas sagas = shop.engine(holds)) {
            SagaHandle saga = sagas.start(Shop.ORDER, "holder", new Order(1, "x"));
            assertThat(saga.await(Shop.SOON).orElseThrow().state()).isEqualTo(SagaState.COMPENSATED);
            assertThat(saga.snapshot().orElseThrow().lastError().orElseThrow()).contains("SAGA-405");
            assertThat(worked).hasValue(0);
            assertThat(shop.value("select status from orders where id = 1")).isEqualTo("LOST");
        }
    }

    private static void lose(TestDatabase database) {
        Sql.execute(
                database.dataSource(),
                "update orders set status = 'LOST', saga_id = null, locked_until = null where id = 1");
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
