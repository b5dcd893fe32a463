package io.holdfast.saga.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaException;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import io.holdfast.saga.spi.Insertion;
import io.holdfast.saga.spi.NewSaga;
import io.holdfast.saga.spi.SagaStore;
import io.holdfast.saga.spi.StoreTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Start inside the caller's transaction (protocol §8): one statement, and nothing of his that is changed. */
@PostgresTest(PostgresTest.Scope.PER_CLASS)
class JoinedStartTest {
    private static final NewSaga SAGA = StoreFixture.saga("a");

    private final DataSource plain;
    private final SagaStore store;

    JoinedStartTest(TestDatabase database) {
        plain = database.dataSource();
        StoreFixture fixture = StoreFixture.on(database);
        store = StoreFixture.store(fixture.sharedPool());
        fixture.empty();
        Sql.execute(plain, "DROP TABLE IF EXISTS orders; CREATE TABLE orders (id int PRIMARY KEY)");
    }

    private static StoreTransaction of(Connection connection) {
        return new JdbcTransaction(Jooq.on(connection), SagaTables.in(StoreFixture.SCHEMA));
    }

    private Insertion.Kind start(Connection connection) {
        return store.insertUnowned(SAGA, StoreFixture.NODE, of(connection)).kind();
    }

    private static void swallow(ThrowingCallable statement) {
        assertThat(catchThrowable(statement)).isNotNull();
    }

    private static void assertCode(Throwable thrown, SagaError error) {
        assertThat(thrown)
                .isInstanceOfSatisfying(
                        SagaException.class, e -> assertThat(e.error()).isEqualTo(error));
    }

    /** B74. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void the_saga_is_there_exactly_when_the_callers_transaction_commits(boolean commits) throws SQLException {
        try (Connection connection = plain.getConnection()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            connection.setAutoCommit(false);
            Sql.execute(connection, "INSERT INTO orders VALUES (1)");
            assertThat(start(connection)).isEqualTo(Insertion.Kind.INSERTED);

            assertThat(store.load(SAGA.sagaId())).isEmpty();
            assertThat(connection.getAutoCommit()).isFalse();
            assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
            if (commits) {
                connection.commit();
            } else {
                connection.rollback();
            }
        }
        assertThat(store.load(SAGA.sagaId()).isPresent()).isEqualTo(commits);
        assertThat(Sql.value(plain, Long.class, "SELECT count(*) FROM orders")).isEqualTo(commits ? 1 : 0);
    }

    /** B65: what is found does not abort the caller's transaction. */
    @Test
    void a_saga_that_is_there_is_found_and_the_transaction_goes_on() throws SQLException {
        store.insertUnowned(SAGA, StoreFixture.NODE, null);
        try (Connection connection = plain.getConnection()) {
            connection.setAutoCommit(false);
            assertThat(start(connection)).isEqualTo(Insertion.Kind.FOUND);
            Sql.execute(connection, "INSERT INTO orders VALUES (1)");
            connection.commit();
        }
        assertThat(Sql.value(plain, Long.class, "SELECT count(*) FROM orders")).isOne();
    }

    /** B113: two transactions start the same saga; the second waits for the first and finds it. */
    @Test
    void of_two_transactions_that_start_the_same_saga_one_stores_it() throws Exception {
        try (Connection first = plain.getConnection();
                Connection second = plain.getConnection()) {
            first.setAutoCommit(false);
            second.setAutoCommit(false);
            start(first);
            CompletableFuture<Insertion.Kind> other = CompletableFuture.supplyAsync(() -> start(second));
            awaitWaiter();
            first.commit();
            assertThat(other.join()).isEqualTo(Insertion.Kind.FOUND);
            second.commit();
        }
    }

    private void awaitWaiter() {
        await().until(() -> Sql.value(
                        plain,
                        Long.class,
                        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
                == 1);
    }

    /** B64: above READ COMMITTED the collision is the caller's to repeat, and the code says so. */
    @Test
    void above_read_committed_a_collision_asks_for_the_transaction_to_be_run_again() throws SQLException {
        try (Connection connection = plain.getConnection()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            Sql.value(connection, Integer.class, "SELECT 1"); // takes its snapshot
            store.insertUnowned(SAGA, StoreFixture.NODE, null);

            assertCode(catchThrowable(() -> start(connection)), SagaError.RETRY_YOUR_TRANSACTION);

            connection.rollback();
            assertThat(start(connection)).isEqualTo(Insertion.Kind.FOUND);
            connection.rollback();
        }
    }

    @Test
    void a_transaction_that_failed_before_is_refused() throws SQLException {
        try (Connection connection = plain.getConnection()) {
            connection.setAutoCommit(false);
            swallow(() -> Sql.execute(connection, "SELECT 1 / 0"));
            assertCode(catchThrowable(() -> start(connection)), SagaError.TRANSACTION_REFUSED);
            connection.rollback();
        }
    }

    @Test
    void a_read_only_transaction_is_refused_and_stays_usable() throws SQLException {
        try (Connection connection = plain.getConnection()) {
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            assertCode(catchThrowable(() -> start(connection)), SagaError.TRANSACTION_REFUSED);
            assertThat(Sql.value(connection, Integer.class, "SELECT 1")).isOne();
            connection.rollback();

            connection.setReadOnly(false);
            Sql.execute(connection, "SET TRANSACTION READ ONLY");
            assertCode(catchThrowable(() -> start(connection)), SagaError.TRANSACTION_REFUSED);
            connection.rollback();
        }
    }

    @Test
    void a_connection_without_a_transaction_is_refused() throws SQLException {
        try (Connection connection = plain.getConnection()) {
            assertCode(catchThrowable(() -> start(connection)), SagaError.TRANSACTION_REFUSED);
        }
        assertThat(store.load(SAGA.sagaId())).isEmpty();
    }

    @Test
    void a_transaction_of_another_kind_is_refused() {
        assertCode(
                catchThrowable(() -> store.insertUnowned(SAGA, StoreFixture.NODE, new StoreTransaction() {})),
                SagaError.TRANSACTION_REFUSED);
    }

    /** B79: the caller's search_path leads elsewhere, to tables of the same name. */
    @Test
    void tables_of_the_same_name_elsewhere_are_not_touched() throws SQLException {
        Sql.execute(plain, """
                CREATE SCHEMA IF NOT EXISTS decoy;
                CREATE TABLE IF NOT EXISTS decoy.saga (saga_id uuid);
                CREATE TABLE IF NOT EXISTS decoy.saga_log (saga_id uuid)""");
        try (Connection connection = plain.getConnection()) {
            Sql.execute(connection, "SET search_path = decoy");
            connection.setAutoCommit(false);
            assertThat(start(connection)).isEqualTo(Insertion.Kind.INSERTED);
            connection.commit();
            Sql.execute(connection, "RESET search_path");
            connection.commit();
        }
        assertThat(store.load(SAGA.sagaId())).isPresent();
        assertThat(store.journal(SAGA.sagaId())).hasSize(1);
    }
}
