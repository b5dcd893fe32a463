package io.holdfast.saga.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.saga.SagaError;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import io.holdfast.saga.spi.LeaseKeeper;
import io.holdfast.saga.spi.SagaStore;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The transaction of a local step: what fails it, what runs it again, and whose it is (protocol §3). */
class LocalTransactionTest extends LocalStepTest {
    LocalTransactionTest(TestDatabase database) {
        super(database);
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
}
