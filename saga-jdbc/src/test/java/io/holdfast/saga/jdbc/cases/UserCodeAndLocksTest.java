package io.holdfast.saga.jdbc.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.StepRejectedException;
import io.holdfast.saga.Verdict;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.cases.Shop.Order;
import io.holdfast.saga.jdbc.lock.SemanticLock;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** B28, B60 and B61: what the database sees while user code runs, and what happens when an undo fails. */
@PostgresTest
class UserCodeAndLocksTest {
    private static final String OPEN_TRANSACTIONS = "select count(*) from pg_stat_activity"
            + " where datname = current_database() and state like 'idle in transaction%'";
    private static final String LOCKS = "select count(*) from pg_locks l join pg_class c on c.oid = l.relation"
            + " where c.relname in ('saga', 'saga_log', 'orders') and l.pid <> pg_backend_pid()";
    private static final RetryPolicy QUICK =
            RetryPolicy.fixed(Duration.ofMillis(5)).maxAttempts(3);

    private static SemanticLock<Order> lock() {
        return Shop.STEPS.lock(Shop.ORDERS, Order::id).from("NEW").pending("PENDING");
    }

    @Test
    @DisplayName("B60: a claim is committed before user code runs, which may use a connection of its own on the row")
    void theClaimIsCommitted(TestDatabase database) {
        SemanticLock<Order> lock = lock();
        try (Shop shop = new Shop(database);
                JdbcSagas sagas = shop.engine(SagaDefinition.builder(Shop.ORDER)
                        .step(lock.claim("claim"))
                        .step(Shop.STEPS
                                .external("own-connection", ctx -> touch(database))
                                .noCompensation("harmless"))
                        .pivot(lock.release("release", "DONE"))
                        .build())) {
            SagaHandle saga = sagas.start(Shop.ORDER, "k", new Order(1, "x"));
            assertThat(saga.await(Shop.SOON).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
            assertThat(shop.value("select version from orders where id = 1")).isEqualTo("1");
        }
    }

    @Test
    @DisplayName(
            "B60: a local step that waits on a second connection for its own row is ended by its timeout, not never")
    void aSelfDeadlockEnds(TestDatabase database) {
        try (Shop shop = new Shop(database);
                JdbcSagas sagas = shop.engine(SagaDefinition.builder(Shop.ORDER)
                        .step(Shop.STEPS
                                .local("self-deadlock", ctx -> {
                                    ctx.dsl().execute("update orders set version = 7 where id = 1");
                                    touch(database);
                                })
                                .timeout(Duration.ofMillis(400))
                                .retry(RetryPolicy.none())
                                .noCompensation("rolled back"))
                        .build())) {
            SagaHandle saga = sagas.start(Shop.ORDER, "k", new Order(1, "x"));
            assertThat(saga.await(Shop.SOON).orElseThrow().state()).isEqualTo(SagaState.COMPENSATED);
            assertThat(saga.snapshot().orElseThrow().lastError().orElseThrow()).contains("SAGA-302");
        }
    }

    private static void touch(TestDatabase database) {
        Sql.execute(database.dataSource(), "update orders set version = version + 1 where id = 1");
    }

    @Test
    @DisplayName(
            "B61: while an external step runs no transaction is open and no row of the library locked; a cancel is taken at once")
    void nothingIsHeld(TestDatabase database) throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        SemanticLock<Order> lock = lock();
        SagaDefinition<Order> definition = SagaDefinition.builder(Shop.ORDER)
                .step(lock.claim("claim"))
                .step(Shop.STEPS
                        .external("long", ctx -> {
                            if (ctx.data().text().equals("long")) {
                                running.countDown();
                                goOn.await();
                            }
                        })
                        .compensatedBy((ctx, none) -> {}))
                .pivot(lock.release("release", "DONE"))
                .build();
        try (Shop shop = new Shop(database);
                JdbcSagas sagas = shop.engine(definition)) {
            SagaHandle saga = sagas.start(Shop.ORDER, "long", new Order(1, "long"));
            assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();

            // a heartbeat or a vacuum may pass by; what the step held would stay
            await().until(() -> shop.value(OPEN_TRANSACTIONS), "0"::equals);
            await().until(() -> shop.value(LOCKS), "0"::equals);
            assertThat(sagas.start(Shop.ORDER, "short", new Order(2, "short"))
                            .await(Shop.SOON)
                            .orElseThrow()
                            .state())
                    .isEqualTo(SagaState.COMPLETED);
            assertThat(saga.cancel("too long")).isEqualTo(Verdict.APPLIED);
            assertThat(saga.snapshot().orElseThrow().state()).isEqualTo(SagaState.COMPENSATING);
            goOn.countDown();
            assertThat(saga.await(Shop.SOON).orElseThrow().state()).isEqualTo(SagaState.COMPENSATED);
        }
    }

    @Test
    @DisplayName(
            "B28: an undo that works at last is enough; one that never does, or says so, leaves the saga stuck with its rows")
    void anUndoFails(TestDatabase database) {
        List<String> done = new CopyOnWriteArrayList<>();
        SemanticLock<Order> lock = lock();
        SagaDefinition<Order> definition = SagaDefinition.builder(Shop.ORDER)
                .step(lock.claim("claim"))
                .step(Shop.STEPS
                        .external("s1", ctx -> {})
                        .compensatedBy((ctx, none) -> {
                            done.add("c1");
                            failUndo(ctx.data().text(), ctx.attempt());
                        })
                        .compensationRetry(QUICK))
                .step(Shop.STEPS.external("s2", ctx -> {}).compensatedBy((ctx, none) -> done.add("c2")))
                .step(Shop.STEPS
                        .external("s3", ctx -> {
                            throw new StepRejectedException("turns it back");
                        })
                        .noCompensation("refused"))
                .pivot(lock.release("release", "DONE"))
                .build();
        try (Shop shop = new Shop(database);
                JdbcSagas sagas = shop.engine(definition)) {
            assertThat(end(sagas, "third time", 1)).isEqualTo(SagaState.COMPENSATED);
            assertThat(done).containsExactly("c2", "c1", "c1", "c1");
            done.clear();
            assertThat(end(sagas, "never", 2)).isEqualTo(SagaState.STUCK);
            assertThat(done).containsExactly("c2", "c1", "c1", "c1");
            done.clear();
            assertThat(end(sagas, "refuses", 3)).isEqualTo(SagaState.STUCK);
            assertThat(done).containsExactly("c2", "c1");
            assertThat(shop.value("select string_agg(status, ',' order by id) from orders where id < 4"))
                    .isEqualTo("NEW,PENDING,PENDING");
            assertThat(shop.value("select count(*) from holdfast.saga_stuck")).isEqualTo("2");
        }
    }

    private static SagaState end(JdbcSagas sagas, String how, long order) {
        return sagas.start(Shop.ORDER, how, new Order(order, how))
                .await(Shop.SOON)
                .orElseThrow()
                .state();
    }

    private static void failUndo(String how, int attempt) {
        if (how.equals("refuses")) {
            throw new StepRejectedException("no undo");
        }
        if (how.equals("never") || attempt < 3) {
            throw new IllegalStateException("undo fails");
        }
    }
}
