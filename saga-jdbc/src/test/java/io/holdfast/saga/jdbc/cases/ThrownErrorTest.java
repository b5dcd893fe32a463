package io.holdfast.saga.jdbc.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.cases.Shop.Order;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** B111: whatever a step throws is a failure of the step, and costs the engine neither a thread nor a slot. */
@PostgresTest
class ThrownErrorTest {
    private static final List<Supplier<Throwable>> THROWN = List.of(
            () -> new NoClassDefFoundError("gone"),
            StackOverflowError::new,
            () -> new AssertionError("no"),
            () -> new ExceptionInInitializerError("broken"),
            () -> new OutOfMemoryError("of this test's own"),
            () -> new Exception("sneaky"),
            Unprintable::new);

    /** Even its text cannot be had. */
    private static final class Unprintable extends Error {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }

        @Override
        public String toString() {
            throw new IllegalStateException("no text");
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneakily(Throwable thrown) throws T {
        throw (T) thrown;
    }

    private static void fail(Order order) {
        ThrownErrorTest.<RuntimeException>sneakily(
                THROWN.get((int) order.id() % THROWN.size()).get());
    }

    @Test
    @DisplayName("50 sagas whose step throws errors are compensated in an engine with two slots, which then works on")
    void everyErrorIsAFailure(TestDatabase database) {
        AtomicInteger undone = new AtomicInteger();
        try (Shop shop = new Shop(database);
                JdbcSagas sagas = shop.engine(SagaDefinition.builder(Shop.ORDER)
                        .step(Shop.STEPS
                                .local("first", ctx -> {})
                                .compensatedBy((ctx, none) -> undone.incrementAndGet()))
                        .step(Shop.STEPS
                                .external("throws", ctx -> {
                                    if (ctx.data().text().equals("throw")) {
                                        fail(ctx.data());
                                    }
                                })
                                .retry(RetryPolicy.none())
                                .compensatedBy((ctx, none) -> {}))
                        .build())) {
            List<SagaHandle> handles = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                handles.add(sagas.start(Shop.ORDER, "bad-" + i, new Order(i, "throw")));
            }
            handles.forEach(saga ->
                    assertThat(saga.await(Shop.SOON).orElseThrow().state()).isEqualTo(SagaState.COMPENSATED));
            assertThat(undone).hasValue(50);
            assertThat(sagas.start(Shop.ORDER, "good", new Order(1, "work"))
                            .await(Shop.SOON)
                            .orElseThrow()
                            .state())
                    .isEqualTo(SagaState.COMPLETED);
        }
    }

    @Test
    @DisplayName("a compensation that throws errors is tried again, and then the saga is stuck")
    void compensationThrows(TestDatabase database) {
        AtomicInteger tries = new AtomicInteger();
        try (Shop shop = new Shop(database);
                JdbcSagas sagas = shop.engine(SagaDefinition.builder(Shop.ORDER)
                        .step(Shop.STEPS
                                .external("first", ctx -> {})
                                .compensatedBy((ctx, none) -> {
                                    tries.incrementAndGet();
                                    fail(ctx.data());
                                })
                                .compensationRetry(RetryPolicy.fixed(java.time.Duration.ofMillis(1))
                                        .maxAttempts(3)))
                        .step(Shop.STEPS
                                .external("throws", ctx -> fail(ctx.data()))
                                .retry(RetryPolicy.none())
                                .noCompensation("nothing done"))
                        .build())) {
            for (int i = 0; i < THROWN.size(); i++) {
                SagaHandle saga = sagas.start(Shop.ORDER, "stuck-" + i, new Order(i, "throw"));
                assertThat(saga.await(Shop.SOON).orElseThrow().state()).isEqualTo(SagaState.STUCK);
            }
            assertThat(tries).hasValue(3 * THROWN.size());
        }
    }
}
