package io.holdfast.saga.jdbc.testing;

import static java.util.concurrent.CompletableFuture.supplyAsync;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@PostgresTest
class StatementCutTest {

    private final TestDatabase database;
    private final TcpProxy proxy;

    StatementCutTest(TestDatabase database) {
        this.database = database;
        this.proxy = TcpProxy.to(database);
    }

    @BeforeEach
    void stock() {
        Fixtures.install(database.dataSource(), Fixtures.STOCK);
    }

    @AfterEach
    void close() {
        proxy.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "extended", "extendedForPrepared", "extendedCacheEverything"})
    void a_commit_whose_answer_is_lost_has_happened_in_every_query_mode(String mode) throws Exception {
        try (var connection = connect(mode)) {
            var cut = proxy.cutAfterNextCommitIsForwarded();
            takeOne(connection);
            assertThat(cut.happened()).isFalse();

            assertConnectionLost(connection);
            cut.awaitHappened();
        }
        assertThat(quantity()).isEqualTo(9);
    }

    @Test
    void a_commit_at_the_end_of_several_statements_in_one_message_is_seen() throws Exception {
        try (var connection = connect("extended");
                var all = connection.prepareStatement("UPDATE stock SET qty = qty - ? WHERE sku = 'a'; COMMIT")) {
            var cut = proxy.cutAfterNextCommitIsForwarded();
            all.setInt(1, 2);

            assertThatThrownBy(all::execute).isInstanceOf(SQLException.class);
            cut.awaitHappened();
        }
        assertThat(quantity()).isEqualTo(8);
    }

    @Test
    void only_the_nth_commit_loses_its_answer() throws Exception {
        var cut = proxy.cutAfterCommitIsForwarded(3);
        try (var connection = connect("extended")) {
            takeOne(connection);
            connection.commit();
            takeOne(connection);
            connection.commit();
            takeOne(connection);

            assertConnectionLost(connection);
            cut.awaitHappened();
        }
        assertThat(quantity()).isEqualTo(7);

        try (var connection = connect("extended")) {
            takeOne(connection);
            connection.commit();
        }
        assertThat(quantity()).isEqualTo(6);
    }

    @Test
    void a_commit_that_is_lost_itself_never_happens() throws Exception {
        try (var connection = connect("extended")) {
            var cut = proxy.cutBeforeCommitIsForwarded(1);
            takeOne(connection);

            assertConnectionLost(connection);
            cut.awaitHappened();
        }
        // Waits for the lock of the transaction, should its end not have been noticed yet.
        assertThat(Sql.execute(database.dataSource(), "UPDATE stock SET status = 'SEEN' WHERE sku = 'a'"))
                .isOne();
        assertThat(quantity()).isEqualTo(10);
    }

    @Test
    void a_commit_that_is_held_arrives_when_the_client_is_long_gone() throws Exception {
        var cut = proxy.cutAndHoldCommit(1);
        try (var connection = connect("extended")) {
            takeOne(connection);
            assertConnectionLost(connection);
        }
        assertThat(quantity()).isEqualTo(10);
        var waiting = supplyAsync(
                () -> Sql.execute(database.dataSource(), "UPDATE stock SET status = 'SEEN' WHERE sku = 'a'"));

        assertThat(cut.deliver()).isTrue();
        assertThat(waiting.get(10, SECONDS)).isOne();
        assertThat(quantity()).isEqualTo(9);
    }

    @Test
    void a_held_commit_whose_session_the_server_ended_is_not_delivered() throws Exception {
        var cut = proxy.cutAndHoldCommit(1);
        int pid;
        try (var connection = connect("extended")) {
            pid = Sql.value(connection, Integer.class, "SELECT pg_backend_pid()");
            takeOne(connection);
            assertConnectionLost(connection);
        }
        Sql.execute(database.dataSource(), "SELECT pg_terminate_backend(?, 5000)", pid);

        assertThat(cut.deliver()).isFalse();
        assertThat(quantity()).isEqualTo(10);
    }

    @Test
    void any_statement_can_be_chosen_also_outside_a_transaction() {
        var cut = proxy.cut(sql -> sql.startsWith("UPDATE stock"), 2, StatementCut.Loses.ANSWER);
        var dataSource = database.via(proxy).dataSource();
        String takeOne = "UPDATE stock SET qty = qty - 1 WHERE sku = 'a'";

        Sql.execute(dataSource, takeOne);
        assertThatThrownBy(() -> Sql.execute(dataSource, takeOne)).isInstanceOf(SqlFailure.class);
        cut.awaitHappened();
        assertThat(quantity()).isEqualTo(8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"COMMIT", "commit;", " Commit work ; ", "UPDATE t SET x = 1;COMMIT", "COMMIT TRANSACTION"})
    void is_a_commit(String sql) {
        assertThat(StatementCut.COMMIT.test(sql)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"BEGIN", "ROLLBACK", "SELECT commit FROM t", "COMMIT PREPARED 'x'", "SELECT 1; SELECT 2"})
    void is_no_commit(String sql) {
        assertThat(StatementCut.COMMIT.test(sql)).isFalse();
    }

    private Connection connect(String queryMode) throws SQLException {
        var dataSource = database.via(proxy).dataSource();
        dataSource.setPreferQueryMode(org.postgresql.jdbc.PreferQueryMode.of(queryMode));
        var connection = dataSource.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private static void takeOne(Connection connection) {
        assertThat(Sql.execute(connection, "UPDATE stock SET qty = qty - ? WHERE sku = 'a'", 1))
                .isOne();
    }

    private static void assertConnectionLost(Connection connection) {
        assertThatThrownBy(connection::commit)
                .isInstanceOfSatisfying(
                        SQLException.class,
                        lost -> assertThat(lost.getSQLState()).startsWith("08"));
    }

    private int quantity() {
        return Sql.value(database.dataSource(), Integer.class, "SELECT qty FROM stock WHERE sku = 'a'");
    }
}
