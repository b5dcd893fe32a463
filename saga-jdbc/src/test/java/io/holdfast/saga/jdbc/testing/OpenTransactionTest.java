package io.holdfast.saga.jdbc.testing;

import static java.util.concurrent.CompletableFuture.supplyAsync;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@PostgresTest
class OpenTransactionTest {

    private final TestDatabase database;
    private final HikariDataSource pool;

    OpenTransactionTest(TestDatabase database) {
        this.database = database;
        this.pool = database.pool(3);
    }

    @BeforeEach
    void orders() {
        Fixtures.install(pool, Fixtures.ORDERS);
    }

    @Test
    void holds_its_locks_until_it_commits() throws Exception {
        try (var transaction = OpenTransaction.begin(pool)) {
            transaction.execute("UPDATE orders SET status = 'PAID' WHERE id = 1");
            assertThat(transaction.waiters()).isZero();

            var waiting = supplyAsync(() -> Sql.execute(pool, "UPDATE orders SET version = 1 WHERE id = 1"));
            transaction.awaitWaiters(1);
            transaction.commit();

            assertThat(waiting.get(10, SECONDS)).isOne();
        }
        assertThat(status(1)).isEqualTo("PAID");
    }

    @Test
    void closing_rolls_back_and_gives_the_connection_back() {
        try (var transaction = OpenTransaction.begin(pool)) {
            transaction.execute("UPDATE orders SET status = 'PAID' WHERE id = 2");
            assertThat(transaction.value(String.class, "SELECT status FROM orders WHERE id = 2"))
                    .isEqualTo("PAID");
        }
        assertThat(status(2)).isEqualTo("NEW");
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }

    @Test
    void closing_one_whose_session_was_ended_is_no_failure() {
        try (var transaction = OpenTransaction.begin(database.dataSource())) {
            Sql.execute(pool, "SELECT pg_terminate_backend(?)", transaction.pid());
        }
        assertThat(status(3)).isEqualTo("NEW");
    }

    private String status(int id) {
        return Sql.value(pool, String.class, "SELECT status FROM orders WHERE id = ?", id);
    }
}
