package io.holdfast.saga.jdbc.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.cases.Shop.Order;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** §10: many reapers side by side are the normal case. */
@PostgresTest
class EightNodesTest {
    private static final int SAGAS = 8_000;
    private static final int NODES = 8;

    private static final SagaDefinition<Order> ONCE = SagaDefinition.builder(Shop.ORDER)
            .step(Shop.STEPS
                    .local("once", ctx -> ctx.dsl().execute("insert into done values (?)", ctx.idempotencyKey()))
                    .noCompensation("counted"))
            .build();

    @Test
    @DisplayName("8 nodes whose reapers claim 8,000 due sagas take each once: none twice, none left")
    void eachIsTakenOnce(TestDatabase database) throws Exception {
        try (Shop shop = new Shop(database);
                HikariDataSource pool = database.pool(60)) {
            // no unique constraint: what is done twice must be seen, not prevented
            Sql.execute(shop.pool, "create table done (key text not null)");
            List<JdbcSagas> nodes = new ArrayList<>();
            for (int i = 0; i < NODES; i++) {
                nodes.add(JdbcSagas.builder(pool)
                        .register(ONCE)
                        .capacity(6)
                        .reapEvery(Duration.ofHours(1))
                        .build());
            }
            try {
                store(shop, nodes.get(0));
                reapUntilNothingIsLeft(shop, nodes);
            } finally {
                nodes.forEach(JdbcSagas::close);
            }
            assertThat(shop.value("select count(*) || ' ' || count(distinct key) from done"))
                    .isEqualTo(SAGAS + " " + SAGAS);
            assertThat(shop.value("select count(*) from holdfast.saga where state = 'COMPLETED' and run_seq = 1"))
                    .isEqualTo(String.valueOf(SAGAS));
            assertThat(shop.value("select count(distinct node) from holdfast.saga_log where kind = 'COMPLETED'"))
                    .isEqualTo(String.valueOf(NODES));
        }
    }

    /** One start, copied: 8,000 starts would be most of the test's time. */
    private static void store(Shop shop, JdbcSagas node) throws SQLException {
        try (Connection connection = shop.pool.getConnection()) {
            connection.setAutoCommit(false);
            node.startIn(connection, Shop.ORDER, "1", new Order(1, "x"));
            Sql.execute(connection, """
                    insert into holdfast.saga select (jsonb_populate_record(s, jsonb_build_object(
                        'saga_id', gen_random_uuid(), 'incarnation', gen_random_uuid(), 'business_key', g::text))).*
                    from holdfast.saga s, generate_series(2, %d) g""".formatted(SAGAS));
            Sql.execute(connection, """
                    insert into holdfast.saga_log select (jsonb_populate_record(l, jsonb_build_object('saga_id', s.saga_id))).*
                    from holdfast.saga_log l, holdfast.saga s where s.saga_id <> l.saga_id""");
            connection.commit();
        }
    }

    private static void reapUntilNothingIsLeft(Shop shop, List<JdbcSagas> nodes) {
        ExecutorService threads = Executors.newFixedThreadPool(NODES);
        try {
            CompletableFuture.allOf(nodes.stream()
                            .map(node -> CompletableFuture.runAsync(() -> reap(shop, node), threads))
                            .toArray(CompletableFuture[]::new))
                    .orTimeout(3, TimeUnit.MINUTES)
                    .join();
        } finally {
            threads.shutdownNow();
        }
    }

    private static void reap(Shop shop, JdbcSagas node) {
        while (shop.value("select exists (select from holdfast.saga where due_at is not null)")
                .equals("true")) {
            node.reaper().tick();
        }
    }
}
