package io.holdfast.saga.jdbc.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.SagaBuilder;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.cases.Shop.Order;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * B86: a saga goes on with the definition it was started with, or not at all. Steps are known by name, and a definition whose steps
 * differ has another hash, so that nobody drives the saga from a wrong step.
 */
@PostgresTest
class ChangedDefinitionTest {
    private final List<String> done = new CopyOnWriteArrayList<>();

    private SagaDefinition<Order> of(int version, String... names) {
        SagaBuilder<Order> builder = SagaDefinition.builder(SagaType.of("order", version, Order.class));
        for (String name : names) {
            builder.step(Shop.STEPS
                    .external(name, ctx -> done.add(name))
                    .compensatedBy((ctx, none) -> done.add("undo " + name)));
        }
        return builder.build();
    }

    /** A saga whose node goes away behind its first step. */
    private SagaHandle abandoned(Shop shop) throws InterruptedException {
        CountDownLatch reached = new CountDownLatch(1);
        SagaDefinition<Order> v1 = SagaDefinition.builder(Shop.ORDER)
                .step(Shop.STEPS
                        .external("s1", ctx -> done.add("s1"))
                        .compensatedBy((ctx, none) -> done.add("undo s1")))
                .step(Shop.STEPS
                        .external("s2", ctx -> {
                            reached.countDown();
                            new CountDownLatch(1).await(); // until the shutdown interrupts it
                        })
                        .compensatedBy((ctx, none) -> done.add("undo s2")))
                .step(Shop.STEPS
                        .external("s3", ctx -> done.add("s3"))
                        .compensatedBy((ctx, none) -> done.add("undo s3")))
                .build();
        try (JdbcSagas node = JdbcSagas.builder(shop.pool)
                .register(v1)
                .closeGrace(Duration.ZERO)
                .build()) {
            SagaHandle saga = node.start(Shop.ORDER, "order-1", new Order(1, "x"));
            reached.await();
            return saga;
        }
    }

    @ParameterizedTest
    @DisplayName("a saga whose definition was changed in place waits, untouched, until a node with its own comes")
    @ValueSource(strings = {"s1,sX,s2,s3", "s1,s3", "s1,sB,s3", "s1,s3,s2"})
    void waitsForItsOwn(String changed, TestDatabase database) throws InterruptedException {
        try (Shop shop = new Shop(database)) {
            abandoned(shop);
            String before = shop.value("select saga from holdfast.saga");
            try (JdbcSagas other = shop.engine(of(1, changed.split(",")))) {
                assertThat(other.reaper().tick().takenOver()
                                + other.reaper().tick().woken())
                        .isZero();
            }
            assertThat(shop.value("select saga from holdfast.saga")).isEqualTo(before);
            assertThat(done).containsExactly("s1");
            try (JdbcSagas own = shop.engine(of(1, "s1", "s2", "s3"))) {
                own.reaper().tick();
                SagaHandle saga = own.handle(Shop.ORDER, "order-1");
                assertThat(saga.await(Shop.SOON).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
            }
            assertThat(done).containsExactly("s1", "s2", "s3");
        }
    }

    @ParameterizedTest
    @DisplayName("a node that knows both versions finishes the old saga as the old version")
    @ValueSource(strings = {"s1,sX,s2,s3"})
    void finishesAsOldVersion(String changed, TestDatabase database) throws InterruptedException {
        try (Shop shop = new Shop(database)) {
            abandoned(shop);
            try (JdbcSagas both = shop.engine(of(2, changed.split(",")), of(1, "s1", "s2", "s3"))) {
                assertThat(both.handle(Shop.ORDER, "order-1")
                                .await(Shop.SOON)
                                .orElseThrow()
                                .state())
                        .isEqualTo(SagaState.COMPLETED);
            }
            assertThat(done).containsExactly("s1", "s2", "s3");
            done.clear();
        }
    }
}
