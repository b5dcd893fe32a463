package io.holdfast.saga.jdbc.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.jdbc.BusinessTable;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.JdbcSteps;
import io.holdfast.saga.jdbc.Schema;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** The views of locks and waits read what the engine really writes, not what a test puts into the tables. */
@PostgresTest
class ViewsOfRealSagasTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final SagaType<Job> JOB = SagaType.of("job", 1, Job.class);

    private final CountDownLatch holding = new CountDownLatch(1);

    record Job(long order) {}

    @Test
    void a_saga_that_waits_for_a_row_is_seen_waiting_and_its_holder_holding(TestDatabase database) {
        try (HikariDataSource pool = database.pool(10);
                JdbcSagas sagas = open(pool)) {
            SagaHandle holder = sagas.start(JOB, "holder", new Job(1));
            await().atMost(SOON)
                    .until(() ->
                            !Sql.rows(pool, "select 1 from holdfast.saga_locks").isEmpty());
            SagaHandle waiter = sagas.start(JOB, "waiter", new Job(1));

            await().atMost(SOON)
                    .untilAsserted(
                            () -> assertThat(Sql.rows(pool, "select saga_id, holder_id from holdfast.saga_waits"))
                                    .containsExactly(Map.of("saga_id", waiter.sagaId(), "holder_id", holder.sagaId())));

            holding.countDown();
            assertThat(waiter.await(SOON).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
            assertThat(Sql.rows(pool, "select 1 from holdfast.saga_waits")).isEmpty();
        }
    }

    private JdbcSagas open(HikariDataSource pool) {
        Schema.migrate(pool, Schema.DEFAULT_NAME);
        Sql.execute(pool, """
                create table orders (id bigint primary key, status text, saga_id uuid, locked_until timestamptz);
                insert into orders values (1, 'NEW');
                """);
        var steps = JdbcSteps.of(Job.class);
        var order = steps.lock(BusinessTable.of("orders"), Job::order).waiting(SOON);
        return JdbcSagas.builder(pool)
                .capacity(4)
                .register(SagaDefinition.builder(JOB)
                        .step(order.claim("claim"))
                        .step(steps.external("work", ctx -> holding.await()).noCompensation("waits only"))
                        .pivot(order.releaseAsBefore("release"))
                        .build())
                .build();
    }
}
