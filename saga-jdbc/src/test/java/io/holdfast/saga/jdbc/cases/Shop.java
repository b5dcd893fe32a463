package io.holdfast.saga.jdbc.cases;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.jdbc.BusinessTable;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.JdbcSteps;
import io.holdfast.saga.jdbc.Schema;
import io.holdfast.saga.jdbc.testing.Fixtures;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.time.Duration;

/** A database with orders, and engines on it that wait for no clock: leases of two seconds, a tick only when asked for. */
final class Shop implements AutoCloseable {
    record Order(long id, String text) {}

    static final SagaType<Order> ORDER = SagaType.of("order", 1, Order.class);
    static final JdbcSteps<Order> STEPS = JdbcSteps.of(Order.class);
    static final Duration SOON = Duration.ofSeconds(30);
    static final BusinessTable ORDERS = BusinessTable.of("orders");

    final HikariDataSource pool;

    Shop(TestDatabase database) {
        pool = database.pool(12);
        Fixtures.install(pool, Fixtures.ORDERS);
        Schema.migrate(pool, "holdfast");
    }

    JdbcSagas engine(SagaDefinition<?>... definitions) {
        JdbcSagas.Builder builder = JdbcSagas.builder(pool)
                .lease(Duration.ofSeconds(2))
                .reapEvery(Duration.ofHours(1))
                .capacity(2);
        for (SagaDefinition<?> definition : definitions) {
            builder.register(definition);
        }
        return builder.build();
    }

    String value(String sql) {
        return Sql.value(pool, String.class, "select (" + sql + ")::text");
    }

    @Override
    public void close() {
        pool.close();
    }
}
