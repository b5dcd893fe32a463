package io.holdfast.saga.jdbc.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.cases.Shop.Order;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What finds no slot is stored, and taken up as slots become free; no tick of the reaper is needed for it. */
@PostgresTest
class BackPressureTest {
    private static final int THREADS = 4;
    private static final int EACH = 150;

    @Test
    @DisplayName("600 sagas started at once on a node with two slots all end, though its reaper does not tick")
    void nothingIsLeft(TestDatabase database) {
        SagaDefinition<Order> definition = SagaDefinition.builder(Shop.ORDER)
                .step(Shop.STEPS
                        .local(
                                "count",
                                ctx -> ctx.dsl()
                                        .execute(
                                                "update orders set version = version + 1 where id = ?",
                                                ctx.data().id()))
                        .noCompensation("counts"))
                .build();
        Queue<SagaHandle> started = new ConcurrentLinkedQueue<>();
        try (Shop shop = new Shop(database);
                JdbcSagas sagas = shop.engine(definition)) {
            List<CompletableFuture<Void>> threads = IntStream.range(0, THREADS)
                    .mapToObj(thread -> CompletableFuture.runAsync(() -> {
                        for (int i = 0; i < EACH; i++) {
                            int number = thread * EACH + i;
                            started.add(sagas.start(Shop.ORDER, "saga-" + number, new Order(1 + number % 20, "x")));
                        }
                    }))
                    .toList();
            threads.forEach(CompletableFuture::join);
            // not by await(), which hints at what it finds waiting
            Awaitility.await()
                    .atMost(Shop.SOON)
                    .untilAsserted(() -> assertThat(
                                    shop.value("select count(*) from holdfast.saga where state <> 'COMPLETED'"))
                            .isEqualTo("0"));
            assertThat(started).hasSize(THREADS * EACH);
            assertThat(shop.value("select sum(version) from orders")).isEqualTo(String.valueOf(THREADS * EACH));
        }
    }
}
