package io.holdfast.saga.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.holdfast.saga.SagaError;
import io.holdfast.saga.jdbc.Unclosed;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import io.holdfast.saga.spi.Change;
import io.holdfast.saga.spi.LocalAttempt;
import io.holdfast.saga.spi.SagaStore;
import io.holdfast.saga.spi.StoreTransaction;
import io.holdfast.saga.spi.StoredSaga;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The connection of a local step: its limits, its end from outside, the mode it comes and goes back in, and its absence. */
class LocalConnectionTest extends LocalStepTest {
    LocalConnectionTest(TestDatabase database) {
        super(database);
    }

    @Test
    void the_limits_are_the_transactions_and_not_the_connections() throws Exception {
        DataSource one = database.pool(1);
        SagaStore limited = StoreFixture.store(one, new LocalLimits(Duration.ofMillis(1234), Duration.ofSeconds(77)));
        AtomicReference<List<String>> inside = new AtomicReference<>();
        limited.moveWith(
                saga.guard(),
                StoreFixture.NODE,
                step(sql -> inside.set(List.of(
                        sql.fetchOne("SHOW lock_timeout").get(0, String.class),
                        sql.fetchOne("SHOW idle_in_transaction_session_timeout").get(0, String.class)))));

        assertThat(inside.get()).containsExactly("1234ms", "77s");
        assertThat(Sql.value(one, String.class, "SHOW lock_timeout")).isEqualTo("0");
        assertThat(Sql.value(one, String.class, "SHOW idle_in_transaction_session_timeout"))
                .isEqualTo("0");
    }

    /** B15: a frozen node does not hold its rows for ever. */
    @Test
    void a_step_that_freezes_between_two_statements_loses_its_rows() throws Exception {
        SagaStore limited =
                StoreFixture.store(database.pool(1), new LocalLimits(Duration.ofSeconds(5), Duration.ofMillis(200)));
        Throwable thrown = catchThrowable(() -> limited.moveWith(saga.guard(), StoreFixture.NODE, step(sql -> {
            sql.execute(TAKE);
            // returns only when the server has ended the step's transaction
            Sql.execute(plain, "UPDATE stock SET qty = qty - 100 WHERE sku = 'a'");
            sql.execute(TAKE);
        })));
        assertThat(thrown).isInstanceOf(Exception.class);
        assertThat(quantity()).isEqualTo(-90);
        assertThat(store.journal(saga.sagaId())).hasSize(1);
    }

    @Test
    void a_step_that_waits_for_a_row_gives_up() {
        SagaStore limited =
                StoreFixture.store(database.pool(1), new LocalLimits(Duration.ofMillis(50), Duration.ofSeconds(30)));
        Throwable thrown = catchThrowable(() -> store.moveWith(saga.guard(), StoreFixture.NODE, step(sql -> {
            sql.execute(TAKE);
            limited.moveWith(saga.guard(), StoreFixture.NODE, step(other -> other.execute(TAKE)));
        })));
        assertThat(thrown)
                .isInstanceOfSatisfying(
                        DataAccessException.class, e -> assertThat(e.sqlState()).isEqualTo("55P03"));
        assertNothingHappened();
    }

    /** B20 (b): also when its thread hangs in a statement. */
    @Test
    void an_attempt_that_is_given_up_in_the_middle_of_a_statement_ends_and_frees_its_rows() {
        AtomicReference<Runnable> abort = new AtomicReference<>();
        LocalAttempt hangs = new LocalAttempt() {
            @Override
            public void onAbort(Runnable how) {
                abort.set(how);
            }

            @Override
            public Change run(StoreTransaction transaction) {
                DSLContext sql = ((JdbcTransaction) transaction).dsl();
                sql.execute(TAKE);
                sql.execute("SELECT pg_sleep(300)");
                return next();
            }
        };
        CompletableFuture<Throwable> thrown = CompletableFuture.supplyAsync(
                () -> catchThrowable(() -> store.moveWith(saga.guard(), StoreFixture.NODE, hangs)));
        await().until(() -> Sql.value(
                        plain,
                        Long.class,
                        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_sleep(300)%'"
                                + " AND state = 'active' AND pid <> pg_backend_pid()")
                > 0);

        abort.get().run();

        assertCode(thrown.join(), SagaError.STORE_UNAVAILABLE);
        // waits for the row, and gets it long before the statement would have ended
        assertThat(Sql.execute(plain, TAKE)).isOne();
        assertThat(quantity()).isEqualTo(9);
    }

    @Test
    void a_late_abort_does_not_hit_who_has_the_connection_now() throws Exception {
        AtomicReference<Runnable> abort = new AtomicReference<>();
        LocalAttempt attempt = new LocalAttempt() {
            @Override
            public void onAbort(Runnable how) {
                abort.set(how);
            }

            @Override
            public Change run(StoreTransaction transaction) {
                return next();
            }
        };
        DataSource one = database.pool(1);
        StoreFixture.store(one).moveWith(saga.guard(), StoreFixture.NODE, attempt);
        try (Connection next = one.getConnection()) {
            abort.get().run();
            assertThat(next.isValid(5)).isTrue();
        }
    }

    @Test
    void an_attempt_given_up_before_it_has_a_connection_never_begins() {
        AtomicInteger runs = new AtomicInteger();
        LocalAttempt attempt = new LocalAttempt() {
            @Override
            public void onAbort(Runnable how) {
                how.run();
            }

            @Override
            public Change run(StoreTransaction transaction) {
                runs.incrementAndGet();
                return next();
            }
        };
        assertCode(
                catchThrowable(() -> store.moveWith(saga.guard(), StoreFixture.NODE, attempt)),
                SagaError.STORE_UNAVAILABLE);
        assertThat(runs).hasValue(0);
    }

    /** B76: pools whose connections come with autocommit off, also with a transaction open. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void the_pools_autocommit_mode_does_not_matter(boolean openTransaction) throws Exception {
        Connection connection = plain.getConnection();
        try (connection) {
            connection.setAutoCommit(false);
            if (openTransaction) {
                Sql.execute(connection, "SELECT 1");
            }
            SagaStore odd = StoreFixture.store(Unclosed.dataSource(connection));

            assertThat(odd.moveWith(saga.guard(), StoreFixture.NODE, step(sql -> sql.execute(TAKE))))
                    .isPresent();
            assertThat(connection.getAutoCommit()).isFalse();
            StoredSaga second = odd.load(saga.sagaId()).orElseThrow();
            assertThat(odd.move(second.guard(), StoreFixture.NODE, StoreFixture.next(second, "third")))
                    .isPresent();
            assertThat(connection.getAutoCommit()).isFalse();
        }
        assertThat(store.load(saga.sagaId()).orElseThrow().step()).isEqualTo("third");
        assertThat(quantity()).isEqualTo(9);
    }

    @Test
    void a_connection_goes_back_as_it_came() throws Exception {
        try (Connection connection = plain.getConnection()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            SagaStore odd = StoreFixture.store(Unclosed.dataSource(connection));
            odd.moveWith(saga.guard(), StoreFixture.NODE, step(sql -> sql.execute(TAKE)));
            assertThat(connection.getAutoCommit()).isTrue();
            assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
        }
    }

    /** B119: a primary that became read-only is away, not a failure of the step. */
    @Test
    void a_database_that_became_read_only_is_not_available() throws Exception {
        SagaStore readOnly = StoreFixture.store(withDefault("default_transaction_read_only", "on"));
        assertCode(
                catchThrowable(
                        () -> readOnly.moveWith(saga.guard(), StoreFixture.NODE, step(sql -> sql.execute(TAKE)))),
                SagaError.STORE_UNAVAILABLE);
        assertCode(
                catchThrowable(() -> readOnly.move(saga.guard(), StoreFixture.NODE, next())),
                SagaError.STORE_UNAVAILABLE);
        assertNothingHappened();
    }

    /** B121: the pool is exhausted; no failure of the saga. */
    @Test
    void a_pool_that_has_no_connection_left_is_not_available() throws Exception {
        DataSource one = database.pool(1, config -> config.setConnectionTimeout(250));
        try (Connection taken = one.getConnection()) {
            assertThat(taken.isValid(1)).isTrue();
            SagaStore fresh = StoreFixture.store(one);
            assertCode(
                    catchThrowable(() -> fresh.moveWith(saga.guard(), StoreFixture.NODE, step(sql -> {}))),
                    SagaError.STORE_UNAVAILABLE);
            assertCode(catchThrowable(() -> fresh.load(saga.sagaId())), SagaError.STORE_UNAVAILABLE);
        }
    }

    /** Another database that the user's code asks is none of the store's business. */
    @Test
    void a_broken_connection_of_the_users_own_is_a_failure_of_the_step() {
        SQLException theirs = new SQLException("their database is away", "08006");
        assertThatThrownBy(() -> store.moveWith(saga.guard(), StoreFixture.NODE, step(sql -> {
                    throw theirs;
                })))
                .isSameAs(theirs);
    }
}
