package io.holdfast.saga.jdbc.barrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.saga.jdbc.barrier.Bank.Booking;
import io.holdfast.saga.jdbc.barrier.Passage.Kind;
import io.holdfast.saga.jdbc.testing.OpenTransaction;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.StatementCut;
import io.holdfast.saga.jdbc.testing.TcpProxy;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two calls of one action at the same time, and calls whose answer or whose COMMIT is lost. */
@PostgresTest(PostgresTest.Scope.PER_CLASS)
class ConcurrentCallsTest {
    private static final BarrierCall ACTION = BarrierCall.action("key-1");
    private static final BarrierCall UNDO = BarrierCall.compensation("key-1");

    private final TestDatabase database;
    private final DataSource dataSource;
    private final ExecutorService executor = Executors.newCachedThreadPool();
    private Bank bank;

    ConcurrentCallsTest(TestDatabase database) {
        this.database = database;
        this.dataSource = database.dataSource();
    }

    @BeforeEach
    void openAnew() {
        Sql.execute(dataSource, "DROP SCHEMA IF EXISTS bank CASCADE");
        bank = Bank.open(dataSource);
    }

    @AfterEach
    void end() {
        executor.shutdownNow();
    }

    private static BarrierCall call(char which) {
        return which == 'A' ? ACTION : UNDO;
    }

    /**
     * The first letter is the call whose transaction is open, the second the one that comes meanwhile, in the state that is left by the calls
     * named before. A is the action, U its undo.
     */
    @ParameterizedTest
    @CsvSource({
        "'',  A, A, COMMIT,   RAN,   REPLAYED, 70",
        "'',  A, U, COMMIT,   RAN,   RAN,      100",
        "'',  U, A, COMMIT,   EMPTY, LATE,     100",
        "'',  U, U, COMMIT,   EMPTY, EMPTY,    100",
        "'',  A, A, ROLLBACK, RAN,   RAN,      70",
        "'',  A, U, ROLLBACK, RAN,   EMPTY,    100",
        "'',  U, A, ROLLBACK, EMPTY, RAN,      70",
        "'',  U, U, ROLLBACK, EMPTY, EMPTY,    100",
        "'A', U, U, COMMIT,   RAN,   REPLAYED, 100",
        "'A', U, U, ROLLBACK, RAN,   RAN,      100",
        "'A', U, A, COMMIT,   RAN,   LATE,     100",
        "'A', U, A, ROLLBACK, RAN,   REPLAYED, 70"
    })
    void the_second_waits_for_the_first_and_is_answered_rightly(
            String before, char first, char second, String end, Kind answer, Kind then, long balance) throws Exception {
        before.chars().forEach(which -> bank.call(call((char) which)));
        try (OpenTransaction open = OpenTransaction.begin(dataSource)) {
            assertThat(Bank.callIn(open.connection(), call(first)).kind()).isEqualTo(answer);
            Future<Passage<Booking>> waiting = executor.submit(() -> bank.call(call(second)));
            open.awaitWaiters(1);
            if ("COMMIT".equals(end)) {
                open.commit();
            } else {
                open.rollback();
            }
            assertThat(waiting.get(10, TimeUnit.SECONDS).kind()).isEqualTo(then);
        }
        assertThat(bank.balance()).isEqualTo(balance);
    }

    @ParameterizedTest
    @CsvSource({"4, A", "4, U", "8, A", "8, U"})
    void above_read_committed_the_slower_one_is_told_to_run_again(int isolation, char second) throws Exception {
        try (OpenTransaction open = OpenTransaction.begin(dataSource);
                Connection slower = Bank.begin(dataSource)) {
            slower.setTransactionIsolation(isolation);
            Bank.callIn(open.connection(), ACTION);
            Future<Passage<Booking>> waiting = executor.submit(() -> Bank.callIn(slower, call(second)));
            open.awaitWaiters(1);
            open.commit();
            assertThatThrownBy(() -> waiting.get(10, TimeUnit.SECONDS)).hasMessageContaining("SAGA-207");
            slower.rollback();
            assertThat(Bank.callIn(slower, call(second)).kind()).isEqualTo(second == 'A' ? Kind.REPLAYED : Kind.RAN);
            slower.commit();
        }
        assertThat(bank.balance()).isEqualTo(second == 'A' ? 70 : 100);
    }

    /** The undo ended, in a transaction younger than the snapshot: the other sees an action that is done, and cannot undo it again. */
    @Test
    void above_read_committed_an_undo_that_is_too_old_to_see_the_other_runs_again() throws Exception {
        bank.call(ACTION);
        try (Connection old = Bank.begin(dataSource)) {
            old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            Sql.value(old, Long.class, "SELECT count(*) FROM bank.saga_barrier");
            bank.call(UNDO);
            assertThatThrownBy(() -> Bank.callIn(old, UNDO)).hasMessageContaining("SAGA-207");
            old.rollback();
            assertThat(Bank.callIn(old, UNDO).kind()).isEqualTo(Kind.REPLAYED);
            old.rollback();
        }
    }

    @Test
    void two_transactions_in_each_others_way_are_told_to_run_again() throws Exception {
        BarrierCall other = BarrierCall.action("key-2");
        try (OpenTransaction open = OpenTransaction.begin(dataSource);
                Connection second = Bank.begin(dataSource)) {
            Bank.BARRIER.guardJdbc(open.connection(), ACTION, Void.class, in -> null);
            Bank.BARRIER.guardJdbc(second, other, Void.class, in -> null);
            Future<Passage<Void>> waiting =
                    executor.submit(() -> Bank.BARRIER.guardJdbc(second, ACTION, Void.class, in -> null));
            open.awaitWaiters(1);
            // one of the two is the victim, whichever the server chooses
            List<Throwable> failures = new ArrayList<>();
            try {
                Bank.BARRIER.guardJdbc(open.connection(), other, Void.class, in -> null);
            } catch (RuntimeException e) {
                failures.add(e);
            }
            open.rollback();
            try {
                waiting.get(10, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                failures.add(e.getCause());
            }
            assertThat(failures).singleElement().satisfies(e -> assertThat(e).hasMessageContaining("SAGA-207"));
            second.rollback();
        }
    }

    /** Many deliveries of action and undo at once: what is left is nothing, whatever the order was. */
    @Test
    void a_storm_of_deliveries_leaves_nothing() throws Exception {
        Bank pooled = bank.through(database.pool(8));
        List<Future<Passage<Booking>>> answers = IntStream.range(0, 80)
                .mapToObj(i -> executor.submit(() -> pooled.call(call(i % 2 == 0 ? 'A' : 'U'))))
                .toList();
        long ran = 0;
        for (Future<Passage<Booking>> answer : answers) {
            ran += answer.get(10, TimeUnit.SECONDS).kind() == Kind.RAN ? 1 : 0;
        }
        assertThat(ran).isIn(0L, 2L);
        assertThat(bank.balance()).isEqualTo(100);
    }

    /** Killed between the work and its COMMIT, or after it: delivered again, it is done once. */
    @ParameterizedTest
    @ValueSource(strings = {"STATEMENT", "ANSWER"})
    void a_call_that_is_cut_at_its_commit_is_done_once(StatementCut.Loses lost) {
        try (TcpProxy proxy = TcpProxy.to(database)) {
            Bank cut = bank.through(database.via(proxy).dataSource());
            for (char which : new char[] {'A', 'U'}) {
                long before = bank.balance();
                StatementCut armed = lost == StatementCut.Loses.ANSWER
                        ? proxy.cutAfterCommitIsForwarded(1)
                        : proxy.cutBeforeCommitIsForwarded(1);
                assertThatThrownBy(() -> cut.call(call(which))).isNotNull();
                armed.awaitHappened();
                Passage<Booking> again = bank.call(call(which));
                assertThat(again.kind()).isEqualTo(lost == StatementCut.Loses.ANSWER ? Kind.REPLAYED : Kind.RAN);
                assertThat(bank.balance()).isEqualTo(which == 'A' ? before - 30 : before + 30);
                assertThat(again.result()).isEqualTo(bank.call(call(which)).result());
            }
        }
    }
}
