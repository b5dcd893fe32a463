package io.holdfast.saga.jdbc.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.LocalContext;
import io.holdfast.saga.jdbc.cases.Shop.Order;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.util.concurrent.atomic.AtomicReference;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** B68 and B117: what a local step writes through its context is one with the saga; what it writes elsewhere, or later, is not. */
@PostgresTest
class OutsideTheTransactionTest {
    @Test
    @DisplayName(
            "what was written through the step's context is gone with a failed step; a captured DSLContext writes outside")
    void onlyTheContextIsTheTransaction(TestDatabase database) {
        try (Shop shop = new Shop(database)) {
            DSLContext captured = DSL.using(shop.pool, SQLDialect.POSTGRES);
            try (JdbcSagas sagas = shop.engine(SagaDefinition.builder(Shop.ORDER)
                    .step(Shop.STEPS
                            .local("write", ctx -> {
                                ctx.dsl().execute("update orders set status = 'INSIDE' where id = 1");
                                captured.execute("update orders set status = 'OUTSIDE' where id = 2");
                                throw new IllegalStateException("fails");
                            })
                            .retry(RetryPolicy.none())
                            .noCompensation("rolled back"))
                    .build())) {
                assertThat(sagas.start(Shop.ORDER, "k", new Order(1, "x"))
                                .await(Shop.SOON)
                                .orElseThrow()
                                .state())
                        .isEqualTo(SagaState.COMPENSATED);
            }
            assertThat(shop.value("select status from orders where id = 1")).isEqualTo("NEW");
            assertThat(shop.value("select status from orders where id = 2")).isEqualTo("OUTSIDE");
        }
    }

    @Test
    @DisplayName("a context used after its step has ended refuses, and writes nothing")
    void lateUseIsRefused(TestDatabase database) {
        AtomicReference<LocalContext<Order>> kept = new AtomicReference<>();
        AtomicReference<DSLContext> keptDsl = new AtomicReference<>();
        try (Shop shop = new Shop(database);
                JdbcSagas sagas = shop.engine(SagaDefinition.builder(Shop.ORDER)
                        .step(Shop.STEPS
                                .local("keep", ctx -> {
                                    kept.set(ctx);
                                    keptDsl.set(ctx.dsl());
                                })
                                .noCompensation("nothing"))
                        .build())) {
            var unused = sagas.start(Shop.ORDER, "k", new Order(1, "x"))
                    .await(Shop.SOON)
                    .orElseThrow();
            assertThatThrownBy(() -> kept.get().data()).isInstanceOf(SagaUsageException.class);
            assertThatThrownBy(() -> kept.get().dsl().execute("select 1")).isInstanceOf(RuntimeException.class);
            assertThatThrownBy(() -> keptDsl.get().execute("update orders set status = 'LATE' where id = 1"))
                    .isInstanceOf(RuntimeException.class);
            assertThat(shop.value("select status from orders where id = 1")).isEqualTo("NEW");
        }
    }
}
