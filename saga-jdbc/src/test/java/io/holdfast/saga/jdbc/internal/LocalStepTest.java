package io.holdfast.saga.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaException;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import io.holdfast.saga.spi.Change;
import io.holdfast.saga.spi.LocalAttempt;
import io.holdfast.saga.spi.SagaStore;
import io.holdfast.saga.spi.StoredSaga;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.postgresql.ds.PGSimpleDataSource;

/** A stock, a saga at its first step, and how a local step of it is run. */
@PostgresTest(PostgresTest.Scope.PER_CLASS)
abstract class LocalStepTest {
    static final String TAKE = "UPDATE stock SET qty = qty - 1 WHERE sku = 'a'";

    final TestDatabase database;
    final DataSource plain;
    final SagaStore store;
    StoredSaga saga;

    LocalStepTest(TestDatabase database) {
        this.database = database;
        this.plain = database.dataSource();
        StoreFixture fixture = StoreFixture.on(database);
        store = StoreFixture.store(fixture.sharedPool());
        fixture.empty();
        saga = started(store);
    }

    static StoredSaga started(SagaStore store) {
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

    int quantity() {
        return Sql.value(plain, Integer.class, "SELECT qty FROM stock WHERE sku = 'a'");
    }

    Change next() {
        return StoreFixture.next(saga, "second");
    }

    /** The work of a step, with its SQL. */
    interface Work {
        void run(DSLContext sql) throws Exception;
    }

    LocalAttempt step(Work work) {
        return StoreFixture.attempt(transaction -> {
            work.run(((JdbcTransaction) transaction).dsl());
            return next();
        });
    }

    void assertNothingHappened() {
        assertThat(quantity()).isEqualTo(10);
        assertThat(store.load(saga.sagaId()).orElseThrow().step()).isEqualTo("first");
        assertThat(store.journal(saga.sagaId())).hasSize(1);
    }

    static void swallow(ThrowingCallable statement) {
        assertThat(catchThrowable(statement)).isNotNull();
    }

    static void assertCode(Throwable thrown, SagaError error) {
        assertThat(thrown)
                .isInstanceOfSatisfying(
                        SagaException.class, e -> assertThat(e.error()).isEqualTo(error));
    }

    DataSource withDefault(String setting, String value) {
        PGSimpleDataSource source = database.dataSource();
        source.setOptions("-c " + setting + "=" + value.replace(" ", "\\ "));
        return source;
    }

    static Throwable root(Throwable thrown) {
        return thrown.getCause() == null ? thrown : root(thrown.getCause());
    }
}
