package io.holdfast.saga.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaException;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.StatementCut;
import io.holdfast.saga.jdbc.testing.TcpProxy;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import io.holdfast.saga.spi.SagaStore;
import io.holdfast.saga.spi.StoredSaga;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** B09: an answer that is lost is neither a failure nor a success; raising run_seq settles it (protocol §3). */
@PostgresTest(PostgresTest.Scope.PER_CLASS)
class LostAnswerTest {
    private final DataSource plain;
    private final TcpProxy proxy;
    private final SagaStore healthy;
    private final SagaStore remote;
    private final StoredSaga saga;

    LostAnswerTest(TestDatabase database) {
        plain = database.dataSource();
        proxy = TcpProxy.to(database);
        StoreFixture fixture = StoreFixture.on(database);
        healthy = StoreFixture.store(fixture.sharedPool());
        remote = StoreFixture.store(database.via(proxy).dataSource());
        fixture.empty();
        Sql.execute(plain, """
                DROP TABLE IF EXISTS stock;
                CREATE TABLE stock (sku text PRIMARY KEY, qty int NOT NULL);
                INSERT INTO stock VALUES ('a', 10)""");
        saga = healthy.insertOwned(StoreFixture.saga("a"), StoreFixture.NODE, StoreFixture.LEASE)
                .saga();
    }

    @AfterEach
    void close() {
        proxy.close();
    }

    private void takeOne() throws Exception {
        remote.moveWith(saga.guard(), StoreFixture.NODE, StoreFixture.attempt(transaction -> {
            ((JdbcTransaction) transaction).dsl().execute("UPDATE stock SET qty = qty - 1 WHERE sku = 'a'");
            return StoreFixture.next(saga, "second");
        }));
    }

    private Optional<StoredSaga> fence() {
        return healthy.fence(saga.sagaId(), StoreFixture.NODE, saga.runSeq());
    }

    private int quantity() {
        return Sql.value(plain, Integer.class, "SELECT qty FROM stock WHERE sku = 'a'");
    }

    private static void assertCode(Throwable thrown, SagaError error) {
        assertThat(thrown)
                .isInstanceOfSatisfying(
                        SagaException.class, e -> assertThat(e.error()).isEqualTo(error));
    }

    @Test
    void a_commit_that_landed_is_found_by_the_fence() {
        proxy.cutAfterNextCommitIsForwarded();

        assertCode(catchThrowable(this::takeOne), SagaError.OUTCOME_UNKNOWN);

        StoredSaga after = fence().orElseThrow();
        assertThat(after.step()).isEqualTo("second");
        assertThat(after.runSeq()).isEqualTo(2);
        assertThat(quantity()).isEqualTo(9);
    }

    @Test
    void a_commit_that_was_lost_itself_never_happens_after_the_fence() {
        proxy.cutBeforeCommitIsForwarded(1);

        assertCode(catchThrowable(this::takeOne), SagaError.OUTCOME_UNKNOWN);

        assertThat(fence().orElseThrow().step()).isEqualTo("first");
        assertThat(quantity()).isEqualTo(10);
    }

    /** Reading first would find the step undone, and run it again. */
    @Test
    void the_fence_waits_for_a_commit_that_is_still_under_way() {
        StatementCut cut = proxy.cutAndHoldCommit(1);
        assertCode(catchThrowable(this::takeOne), SagaError.OUTCOME_UNKNOWN);
        assertThat(healthy.load(saga.sagaId()).orElseThrow().step()).isEqualTo("first");

        CompletableFuture<Optional<StoredSaga>> fence = CompletableFuture.supplyAsync(this::fence);
        await().until(() -> waiting() == 1);
        assertThat(cut.deliver()).isTrue();

        assertThat(fence.join().orElseThrow().step()).isEqualTo("second");
        assertThat(quantity()).isEqualTo(9);
    }

    private int waiting() {
        return Sql.value(
                plain,
                Integer.class,
                "SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'");
    }

    @Test
    void what_is_lost_before_the_commit_changed_nothing() {
        proxy.cut(sql -> sql.contains("saga_log"), 1, StatementCut.Loses.STATEMENT);
        assertCode(catchThrowable(this::takeOne), SagaError.STORE_UNAVAILABLE);

        proxy.cut(sql -> sql.startsWith("UPDATE stock"), 1, StatementCut.Loses.ANSWER);
        assertCode(catchThrowable(this::takeOne), SagaError.STORE_UNAVAILABLE);

        proxy.cut(sql -> sql.startsWith("SET TRANSACTION"), 1, StatementCut.Loses.STATEMENT);
        assertCode(catchThrowable(this::takeOne), SagaError.STORE_UNAVAILABLE);

        assertThat(fence().orElseThrow().step()).isEqualTo("first");
        assertThat(quantity()).isEqualTo(10);
    }

    @ParameterizedTest
    @EnumSource(
            value = StatementCut.Loses.class,
            names = {"ANSWER", "STATEMENT"})
    void of_a_move_whose_answer_is_lost_nobody_knows(StatementCut.Loses loses) {
        proxy.cut(sql -> sql.contains("saga_log"), 1, loses);

        assertCode(
                catchThrowable(() -> remote.move(saga.guard(), StoreFixture.NODE, StoreFixture.next(saga, "second"))),
                SagaError.OUTCOME_UNKNOWN);

        String step = loses == StatementCut.Loses.ANSWER ? "second" : "first";
        assertThat(fence().orElseThrow().step()).isEqualTo(step);
    }

    @Test
    void a_read_can_always_be_repeated() {
        proxy.cut(sql -> sql.startsWith("SELECT"), 1, StatementCut.Loses.ANSWER);
        assertCode(catchThrowable(() -> remote.load(saga.sagaId())), SagaError.STORE_UNAVAILABLE);
        assertThat(remote.load(saga.sagaId())).isPresent();
    }

    @Test
    void who_cannot_connect_has_changed_nothing() {
        proxy.refuse();
        assertCode(
                catchThrowable(() -> remote.move(saga.guard(), StoreFixture.NODE, StoreFixture.next(saga, "second"))),
                SagaError.STORE_UNAVAILABLE);
        assertCode(catchThrowable(this::takeOne), SagaError.STORE_UNAVAILABLE);
        proxy.accept();
        assertThat(remote.move(saga.guard(), StoreFixture.NODE, StoreFixture.next(saga, "second")))
                .isPresent();
    }

    @Test
    void a_start_whose_answer_is_lost_is_found_when_it_is_repeated() {
        proxy.cut(sql -> sql.contains("ON CONFLICT"), 1, StatementCut.Loses.ANSWER);
        assertCode(
                catchThrowable(() -> remote.insertUnowned(StoreFixture.saga("b"), StoreFixture.NODE, null)),
                SagaError.OUTCOME_UNKNOWN);
        assertThat(remote.insertUnowned(StoreFixture.saga("b"), StoreFixture.NODE, null)
                        .saga()
                        .businessKey())
                .isEqualTo("b");
    }
}
