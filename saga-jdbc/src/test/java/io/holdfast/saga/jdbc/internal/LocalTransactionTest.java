package io.holdfast.saga.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaException;
import io.holdfast.saga.jdbc.Unclosed;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import io.holdfast.saga.spi.Change;
import io.holdfast.saga.spi.LeaseKeeper;
import io.holdfast.saga.spi.LocalAttempt;
import io.holdfast.saga.spi.SagaStore;
import io.holdfast.saga.spi.StoreTransaction;
import io.holdfast.saga.spi.StoredSaga;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What only a database can do to a local step. */
@PostgresTest(PostgresTest.Scope.PER_CLASS)
class LocalTransactionTest {
    private static final String TAKE = "UPDATE stock SET qty = qty - 1 WHERE sku = 'a'";

    private final TestDatabase database;
    private final DataSource plain;
    private final SagaStore store;
    private StoredSaga saga;

    LocalTransactionTest(TestDatabase database) {
        this.database = database;
        this.plain = database.dataSource();
        StoreFixture fixture = StoreFixture.on(database);
        store = StoreFixture.store(fixture.sharedPool());
        fixture.empty();
        saga = started(store);
    }

    private static StoredSaga started(SagaStore store) {
        return store.insertOwned(StoreFixture.saga("a"), StoreFixture.NODE, StoreFixture.LEASE)
                .saga();
    }

    @BeforeEach
    void stock() {
        Sql.execute(plain, """
                DROP TABLE IF EXISTS stock;
                CREATE TABLE stock (sku text PRIMARY KEY, qty int NOT NULL);
                INSERT INTO stock VALUES ('a', 10), ('b', 10)""");
    }

    private int quantity() {
        return Sql.value(plain, Integer.class, "SELECT qty FROM stock WHERE sku = 'a'");
    }

    private Change next() {
        return StoreFixture.next(saga, "second");
    }

    /** The work of a step, with its SQL. */
    private interface Work {
        void run(DSLContext sql) throws Exception;
    }

    private LocalAttempt step(Work work) {
        return StoreFixture.attempt(transaction -> {
            work.run(((JdbcTransaction) transaction).dsl());
            return next();
        });
    }

    private void assertNothingHappened() {
        assertThat(quantity()).isEqualTo(10);
        assertThat(store.load(saga.sagaId()).orElseThrow().step()).isEqualTo("first");
        assertThat(store.journal(saga.sagaId())).hasSize(1);
    }

    private static void swallow(ThrowingCallable statement) {
        assertThat(catchThrowable(statement)).isNotNull();
    }

    private static void assertCode(Throwable thrown, SagaError error) {
        assertThat(thrown)
                .isInstanceOfSatisfying(
                        SagaException.class, e -> assertThat(e.error()).isEqualTo(error));
    }

    @Test
    void work_and_move_are_one_transaction() throws Exception {
        assertThat(store.moveWith(saga.guard(), StoreFixture.NODE, step(sql -> sql.execute(TAKE))))
                .isPresent();
        assertThat(quantity()).isEqualTo(9);
        assertThat(store.load(saga.sagaId()).orElseThrow().step()).isEqualTo("second");
    }

    @Test
    void of_work_whose_guard_matches_nothing_nothing_is_kept() throws Exception {
        store.fence(saga.sagaId(), StoreFixture.NODE, saga.runSeq());

        assertThat(store.moveWith(saga.guard(), StoreFixture.NODE, step(sql -> sql.execute(TAKE))))
                .isEmpty();
        assertThat(quantity()).isEqualTo(10);
    }

    /** B66 (a): the error is let out. */
    @Test
    void an_error_of_the_database_is_passed_on_and_nothing_kept() {
        assertThatThrownBy(() -> store.moveWith(saga.guard(), StoreFixture.NODE, step(sql -> {
                    sql.execute(TAKE);
                    sql.execute("INSERT INTO stock VALUES ('a', 1)");
                })))
                .isInstanceOfSatisfying(
                        DataAccessException.class, e -> assertThat(e.sqlState()).isEqualTo("23505"));
        assertNothingHappened();
    }

    /** B66 (b): the error is swallowed; a COMMIT would silently be a ROLLBACK. */
    @Test
    void a_swallowed_error_fails_the_step_with_its_own_code() {
        assertThatThrownBy(() -> store.moveWith(saga.guard(), StoreFixture.NODE, step(sql -> {
                    sql.execute(TAKE);
                    swallow(() -> sql.execute("INSERT INTO stock VALUES ('a', 1)"));
                })))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23505"));
        assertNothingHappened();
    }

    /** B66 (b), after more statements that could only fail. */
    @Test
    void of_several_swallowed_errors_the_first_counts() {
        assertThatThrownBy(() -> store.moveWith(saga.guard(), StoreFixture.NODE, step(sql -> {
                    swallow(() -> sql.execute("SELECT 1 / 0"));
                    swallow(() -> sql.execute(TAKE));
                    swallow(() -> sql.execute(TAKE));
                })))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22012"));
    }

    /** B66 (c): the user's own exception comes out, whatever it is. */
    @Test
    void an_exception_of_the_users_own_is_passed_on_as_it_is() {
        IOException own = new IOException("no stock");
        assertThatThrownBy(() -> store.moveWith(saga.guard(), StoreFixture.NODE, step(sql -> {
                    swallow(() -> sql.execute("INSERT INTO stock VALUES ('a', 1)"));
                    throw own;
                })))
                .isSameAs(own);
    }

    @Test
    void an_error_inside_a_nested_transaction_costs_only_that() throws Exception {
        assertThat(store.moveWith(saga.guard(), StoreFixture.NODE, step(sql -> {
                    swallow(() -> sql.transaction(nested -> {
                        nested.dsl().execute("UPDATE stock SET qty = 0 WHERE sku = 'a'");
                        nested.dsl().execute("INSERT INTO stock VALUES ('a', 1)");
                    }));
                    sql.transaction(nested -> nested.dsl().execute(TAKE));
                })))
                .isPresent();
        assertThat(quantity()).isEqualTo(9);
    }

    @Test
    void a_constraint_that_is_checked_at_the_commit_refuses_it() {
        Sql.execute(plain, "ALTER TABLE stock ADD COLUMN nr int UNIQUE DEFERRABLE INITIALLY DEFERRED");
        assertThatThrownBy(() -> store.moveWith(
                        saga.guard(), StoreFixture.NODE, step(sql -> sql.execute("UPDATE stock SET nr = 1"))))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23505"));
        assertNothingHappened();
    }

    @Test
    void what_the_database_rolled_back_is_run_again() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        assertThat(store.moveWith(saga.guard(), StoreFixture.NODE, step(sql -> {
                    sql.execute(TAKE);
                    if (runs.incrementAndGet() < 10) {
                        raise(sql, runs.get() % 2 == 0 ? "40001" : "40P01");
                    }
                })))
                .isPresent();
        assertThat(runs).hasValue(10);
        assertThat(quantity()).isEqualTo(9);
    }

    @Test
    void after_ten_runs_it_is_a_failure() {
        AtomicInteger runs = new AtomicInteger();
        assertThatThrownBy(() -> store.moveWith(saga.guard(), StoreFixture.NODE, step(sql -> {
                    runs.incrementAndGet();
                    raise(sql, "40001");
                })))
                .isInstanceOf(DataAccessException.class);
        assertThat(runs).hasValue(10);
        assertNothingHappened();
    }

    @Test
    void a_swallowed_deadlock_is_run_again_too() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        assertThat(store.moveWith(saga.guard(), StoreFixture.NODE, step(sql -> {
                    sql.execute(TAKE);
                    if (runs.incrementAndGet() == 1) {
                        swallow(() -> raise(sql, "40P01"));
                    }
                })))
                .isPresent();
        assertThat(runs).hasValue(2);
        assertThat(quantity()).isEqualTo(9);
    }

    private static void raise(DSLContext sql, String state) {
        sql.execute("DO $$ BEGIN RAISE EXCEPTION 'as ordered' USING ERRCODE = '" + state + "'; END $$");
    }

    /** B117, B68: what is kept beyond the step is of no use. */
    @Test
    void the_context_is_closed_when_the_step_has_ended() throws Exception {
        AtomicReference<DSLContext> kept = new AtomicReference<>();
        store.moveWith(saga.guard(), StoreFixture.NODE, step(kept::set));

        Throwable thrown = catchThrowable(() -> kept.get().execute(TAKE));

        assertCode(root(thrown), SagaError.CONTEXT_CLOSED);
        assertThat(quantity()).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"commit", "rollback", "setAutoCommit", "setReadOnly", "abort"})
    void the_transaction_is_not_the_users(String how) throws Exception {
        assertThat(store.moveWith(saga.guard(), StoreFixture.NODE, step(sql -> {
                    sql.execute(TAKE);
                    Throwable thrown = catchThrowable(() -> sql.connection(connection -> end(connection, how)));
                    assertCode(root(thrown), SagaError.TRANSACTION_REFUSED);
                })))
                .isPresent();
        assertThat(quantity()).isEqualTo(9);
    }

    private static void end(Connection connection, String how) throws SQLException {
        switch (how) {
            case "commit" -> connection.commit();
            case "rollback" -> connection.rollback();
            case "setAutoCommit" -> connection.setAutoCommit(true);
            case "setReadOnly" -> connection.setReadOnly(true);
            default -> connection.abort(Runnable::run);
        }
    }

    @Test
    void closing_the_connection_ends_nothing() throws Exception {
        assertThat(store.moveWith(saga.guard(), StoreFixture.NODE, step(sql -> {
                    sql.connection(Connection::close);
                    sql.execute(TAKE);
                })))
                .isPresent();
        assertThat(quantity()).isEqualTo(9);
    }

    @ParameterizedTest
    @ValueSource(strings = {"COMMIT", "ROLLBACK"})
    void a_step_whose_sql_ends_the_transaction_fails(String statement) {
        Throwable thrown = catchThrowable(
                () -> store.moveWith(saga.guard(), StoreFixture.NODE, step(sql -> sql.execute(statement))));
        assertCode(thrown, SagaError.TRANSACTION_REFUSED);

        thrown = catchThrowable(() -> store.moveWith(saga.guard(), StoreFixture.NODE, step(sql -> {
            sql.execute(statement);
            sql.execute(TAKE);
        })));
        assertCode(root(thrown), SagaError.TRANSACTION_REFUSED);
        assertNothingHappened();
    }

    private static Throwable root(Throwable thrown) {
        return thrown.getCause() == null ? thrown : root(thrown.getCause());
    }

    /** B64: isolation of the step is READ COMMITTED whatever the database's default is. */
    @ParameterizedTest
    @ValueSource(strings = {"repeatable read", "serializable"})
    void a_step_is_read_committed_whatever_the_default(String isolation) throws Exception {
        AtomicReference<String> seen = new AtomicReference<>();
        AtomicInteger runs = new AtomicInteger();
        SagaStore strict = StoreFixture.store(withDefault("default_transaction_isolation", isolation));
        assertThat(strict.moveWith(saga.guard(), StoreFixture.NODE, step(sql -> {
                    runs.incrementAndGet();
                    seen.set(sql.fetchOne("SHOW transaction_isolation").get(0, String.class));
                    // the saga is touched after the step began: above READ COMMITTED its guard would be a 40001 every
                    // time
                    try (LeaseKeeper keeper = store.leaseKeeper()) {
                        keeper.renew(Map.of(saga.sagaId(), 1L), StoreFixture.LEASE);
                    }
                })))
                .isPresent();
        assertThat(seen).hasValue("read committed");
        assertThat(runs).hasValue(1);
    }

    private DataSource withDefault(String setting, String value) {
        PGSimpleDataSource source = database.dataSource();
        source.setOptions("-c " + setting + "=" + value.replace(" ", "\\ "));
        return source;
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
