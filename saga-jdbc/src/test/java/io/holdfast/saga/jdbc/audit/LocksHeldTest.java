package io.holdfast.saga.jdbc.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.jdbc.BusinessTable;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.JdbcSteps;
import io.holdfast.saga.jdbc.Schema;
import io.holdfast.saga.jdbc.audit.SagaAudit.HeldRow;
import io.holdfast.saga.jdbc.testing.Fixtures;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What the audit says of rows, of sagas that the engine drives. */
@PostgresTest
class LocksHeldTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final SagaType<Order> ORDER = SagaType.of("order", 1, Order.class);

    record Order(List<Long> ids) {}

    private final CountDownLatch paid = new CountDownLatch(1);
    private final CountDownLatch mailed = new CountDownLatch(1);
    private final DataSource dataSource;

    LocksHeldTest(TestDatabase database) {
        this.dataSource = database.pool(8);
    }

    private JdbcSagas engine() {
        Schema.migrate(dataSource, Schema.DEFAULT_NAME);
        Fixtures.install(dataSource, Fixtures.ORDERS);
        var steps = JdbcSteps.of(Order.class);
        var orders = steps.lockAll(BusinessTable.of("orders"), Order::ids)
                .from("NEW")
                .deadline(Duration.ofMillis(900));
        return JdbcSagas.builder(dataSource)
                .capacity(4)
                .lease(Duration.ofMillis(300))
                .register(SagaDefinition.builder(ORDER)
                        .step(orders.claim("claim"))
                        .pivot(steps.external("pay", ctx -> paid.await()))
                        .then(orders.release("confirm", "CONFIRMED"))
                        .then(steps.external("mail", ctx -> mailed.await()))
                        .build())
                .build();
    }

    @Test
    void rows_are_held_until_their_release_and_renewed_meanwhile() {
        try (var sagas = engine()) {
            var saga = sagas.start(ORDER, "o-1", new Order(List.of(2L, 1L)));
            await().atMost(SOON)
                    .until(() -> saga.snapshot().orElseThrow().step().equals("pay"));

            assertThat(sagas.audit().locksHeld(saga.sagaId()))
                    .extracting(HeldRow::table, HeldRow::rowId, HeldRow::formerStatus, HeldRow::claimedBy)
                    .containsExactly(
                            tuple("\"public\".\"orders\"", "1", Optional.of("NEW"), "claim"),
                            tuple("\"public\".\"orders\"", "2", Optional.of("NEW"), "claim"));
            // longer than the rows were claimed for
            await().pollDelay(Duration.ofMillis(1500)).until(() -> true);
            assertThat(
                            Sql.value(
                                    dataSource,
                                    Long.class,
                                    "SELECT count(*) FROM orders WHERE saga_id IS NOT NULL AND locked_until > clock_timestamp()"))
                    .isEqualTo(2);

            paid.countDown();
            await().atMost(SOON)
                    .until(() -> saga.snapshot().orElseThrow().step().equals("mail"));
            assertThat(sagas.audit().locksHeld(saga.sagaId())).isEmpty();
            mailed.countDown();
            assertThat(saga.await(SOON).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
        }
    }
}
