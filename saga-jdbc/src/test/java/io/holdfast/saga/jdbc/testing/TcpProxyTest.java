package io.holdfast.saga.jdbc.testing;

import static java.util.concurrent.CompletableFuture.supplyAsync;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import org.assertj.core.api.AbstractObjectAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@PostgresTest
class TcpProxyTest {

    private final TestDatabase database;
    private final TcpProxy proxy;

    TcpProxyTest(TestDatabase database) {
        this.database = database;
        this.proxy = TcpProxy.to(database);
    }

    @AfterEach
    void close() {
        proxy.close();
    }

    @Test
    void forwards_what_is_said_in_both_directions() {
        var dataSource = database.via(proxy).dataSource();

        assertThat(Sql.value(dataSource, String.class, "SELECT current_database()::text"))
                .isEqualTo(database.name());
        assertThat(Sql.value(dataSource, Integer.class, "SELECT length(repeat('x', ?))", 1_000_000))
                .isEqualTo(1_000_000);
        await().until(() -> proxy.connections() == 0);
    }

    @Test
    void a_cut_ends_sessions_on_both_sides_and_new_ones_are_taken() throws Exception {
        try (var connection = database.via(proxy).dataSource().getConnection()) {
            int pid = Sql.value(connection, Integer.class, "SELECT pg_backend_pid()");
            proxy.cut();

            assertConnectionFails(() -> Sql.execute(connection, "SELECT 1"));
            await().untilAsserted(
                            () -> assertThat(Maintenance.rows("SELECT pid FROM pg_stat_activity WHERE pid = ?", pid))
                                    .isEmpty());
        }
        assertThat(one()).isOne();
    }

    @Test
    void refused_connections_fail_at_once_while_those_that_stand_go_on() throws Exception {
        try (var connection = database.via(proxy).dataSource().getConnection()) {
            int port = proxy.port();
            proxy.refuse();

            assertConnectionFails(this::one);
            assertThat(connection.isValid(5)).isTrue();

            proxy.accept();
            assertThat(proxy.port()).isEqualTo(port);
            assertThat(one()).isOne();
        }
    }

    @Test
    void a_paused_network_answers_nothing_and_loses_nothing() throws Exception {
        try (var connection = database.via(proxy).dataSource().getConnection()) {
            connection.setNetworkTimeout(Runnable::run, 10_000);
            proxy.pause();
            var answer = supplyAsync(() -> Sql.value(connection, Integer.class, "SELECT 42"));
            assertThat(answer).isNotDone();

            proxy.resume();
            assertThat(answer.get(10, SECONDS)).isEqualTo(42);
        }
    }

    @Test
    void a_client_with_a_time_limit_gives_up_on_a_paused_network() throws Exception {
        try (var connection = database.via(proxy).dataSource().getConnection()) {
            connection.setNetworkTimeout(Runnable::run, 200);
            proxy.pause();

            assertThatThrownBy(() -> Sql.execute(connection, "SELECT 1"))
                    .hasRootCauseInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void the_pools_behind_it_belong_to_the_database(TestDatabase same) throws Exception {
        var pool = database.via(proxy).pool(1);
        try (var connection = pool.getConnection()) {
            assertThatThrownBy(same::assertNoLeaks).hasMessageContaining(pool.getPoolName());
            assertThat(connection).isNotNull();
        }
    }

    private int one() {
        return Sql.value(database.via(proxy).dataSource(), Integer.class, "SELECT 1");
    }

    private static void assertConnectionFails(ThrowingCallable work) {
        AbstractObjectAssert<?, SqlFailure> failure = assertThatThrownBy(work).asInstanceOf(type(SqlFailure.class));
        failure.extracting(SqlFailure::sqlState).asString().startsWith("08");
        failure.extracting(SqlFailure::getCause).isInstanceOf(SQLException.class);
    }
}
