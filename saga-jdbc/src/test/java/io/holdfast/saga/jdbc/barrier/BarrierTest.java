package io.holdfast.saga.jdbc.barrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.saga.Direction;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaException;
import io.holdfast.saga.jdbc.barrier.Bank.Booking;
import io.holdfast.saga.jdbc.barrier.Passage.Kind;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.SqlFailure;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.io.IOException;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jooq.SQLDialect;
import org.jooq.exception.IntegrityConstraintViolationException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the barrier answers to one call after the other. */
@PostgresTest(PostgresTest.Scope.PER_CLASS)
class BarrierTest {
    private static final UUID SAGA = UUID.fromString("8e9a2d1c-0000-8000-8000-000000000001");
    private static final BarrierCall ACTION = BarrierCall.action("key-1");
    private static final BarrierCall UNDO = BarrierCall.compensation("key-1");

    private final DataSource dataSource;
    private Bank bank;

    BarrierTest(TestDatabase database) {
        this.dataSource = database.dataSource();
    }

    @BeforeEach
    void openAnew() {
        Sql.execute(dataSource, "DROP SCHEMA IF EXISTS bank CASCADE");
        bank = Bank.open(dataSource);
    }

    /** A is the action, U its undo; twice each, in every order, known in both ways. */
    @ParameterizedTest
    @CsvSource({
        "AAUU, RAN REPLAYED RAN REPLAYED, 70 70 100 100",
        "AUAU, RAN RAN LATE REPLAYED, 70 100 100 100",
        "AUUA, RAN RAN REPLAYED LATE, 70 100 100 100",
        "UAAU, EMPTY LATE LATE EMPTY, 100 100 100 100",
        "UAUA, EMPTY LATE EMPTY LATE, 100 100 100 100",
        "UUAA, EMPTY EMPTY LATE LATE, 100 100 100 100"
    })
    @DisplayName("B31, B32: in every order each takes effect once at most, and no action after its undo")
    void in_every_order_each_takes_effect_once_at_most(String order, String kinds, String balances) {
        for (boolean byKey : new boolean[] {true, false}) {
            List<String> answered = new ArrayList<>();
            List<String> seen = new ArrayList<>();
            for (int i = 0; i < order.length(); i++) {
                answered.add(
                        bank.call(call(order.charAt(i) == 'A', byKey)).kind().name());
                seen.add(String.valueOf(bank.balance()));
            }
            assertThat(answered).containsExactly(kinds.split(" ", -1));
            assertThat(seen).containsExactly(balances.split(" ", -1));
        }
    }

    private static BarrierCall call(boolean action, boolean byKey) {
        if (byKey) {
            return action ? ACTION : UNDO;
        }
        return BarrierCall.of(SAGA, "book", action ? Direction.FORWARD : Direction.BACKWARD);
    }

    @Test
    void what_is_replayed_is_the_first_result_of_that_direction() {
        var done = bank.call(ACTION);
        assertThat(done.result()).isEqualTo(new Booking("FORWARD-70", 70));
        assertThat(bank.call(ACTION)).isEqualTo(new Passage<>(Kind.REPLAYED, done.result()));
        var undone = bank.call(UNDO);
        assertThat(undone.result()).isEqualTo(new Booking("BACKWARD-100", 100));
        assertThat(bank.call(UNDO)).isEqualTo(new Passage<>(Kind.REPLAYED, undone.result()));
    }

    @Test
    void calls_of_other_actions_have_nothing_to_do_with_it() {
        bank.call(UNDO);
        assertThat(bank.call(BarrierCall.action("key-2")).kind()).isEqualTo(Kind.RAN);
        assertThat(bank.call(BarrierCall.of(SAGA, "book", Direction.FORWARD)).kind())
                .isEqualTo(Kind.RAN);
        assertThat(bank.call(BarrierCall.of(SAGA, "other", Direction.FORWARD)).kind())
                .isEqualTo(Kind.RAN);
        assertThat(bank.call(BarrierCall.action(SAGA.toString())).kind()).isEqualTo(Kind.RAN);
    }

    @Test
    @DisplayName("B33: an action that comes after its undo is a rejection for the caller, not a success")
    void an_action_that_is_late_is_a_rejection() {
        assertThat(bank.call(UNDO).orRefuse()).isNull();
        assertThatThrownBy(() -> bank.call(ACTION).orRefuse())
                .isInstanceOf(LateCallException.class)
                .hasMessageStartingWith("SAGA-212");
        bank.call(BarrierCall.action("key-2"));
        assertThat(bank.call(BarrierCall.action("key-2")).orRefuse()).isEqualTo(new Booking("FORWARD-70", 70));
    }

    @Test
    @DisplayName("B35: work that throws passes its exception through, and its mark vanishes with its change")
    void work_that_throws_leaves_no_mark() {
        var dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
        assertThatThrownBy(() -> dsl.transaction(tx -> Bank.BARRIER.guard(tx.dsl(), ACTION, Void.class, in -> {
                    in.execute("insert into bank.account values (2, 5)");
                    in.execute("insert into bank.account values (1, 5)");
                    return null;
                })))
                .isInstanceOf(IntegrityConstraintViolationException.class);
        assertThat(Sql.value(dataSource, Long.class, "SELECT count(*) FROM bank.account"))
                .isOne();
        assertThat(Sql.rows(dataSource, "SELECT action FROM bank.saga_barrier")).isEmpty();
        assertThat(bank.call(ACTION).kind()).isEqualTo(Kind.RAN);
    }

    @Test
    @DisplayName("B35: the undo of an action whose transaction rolled back has nothing to undo")
    void the_undo_of_what_rolled_back_is_empty() throws Exception {
        try (Connection connection = Bank.begin(dataSource)) {
            assertThatThrownBy(() -> Bank.BARRIER.guardJdbc(connection, ACTION, Void.class, in -> {
                        Bank.book(in, ACTION);
                        throw new IOException("no answer");
                    }))
                    .isInstanceOf(IOException.class)
                    .hasMessage("no answer");
            connection.rollback();
        }
        assertThat(bank.call(UNDO).kind()).isEqualTo(Kind.EMPTY);
        assertThat(bank.balance()).isEqualTo(100);
    }

    /** COMMIT would roll back and say nothing; the service would answer that it was done. */
    @Test
    void a_failed_statement_that_the_work_swallows_is_noticed() throws Exception {
        try (Connection connection = Bank.begin(dataSource)) {
            assertCode(
                    () -> Bank.BARRIER.guardJdbc(connection, ACTION, Void.class, in -> {
                        try {
                            Sql.execute(in, "SELECT 1 / 0");
                        } catch (SqlFailure swallowed) {
                            assertThat(swallowed.sqlState()).isEqualTo("22012");
                        }
                        return null;
                    }),
                    SagaError.TRANSACTION_REFUSED);
            connection.rollback();
        }
    }

    @Test
    void work_that_ends_the_transaction_is_noticed() throws Exception {
        try (Connection connection = Bank.begin(dataSource)) {
            for (Class<?> result : List.of(Void.class, String.class)) {
                assertCode(
                        () -> Bank.BARRIER.guardJdbc(connection, ACTION, result, in -> {
                            in.rollback();
                            return null;
                        }),
                        result == Void.class ? SagaError.TRANSACTION_REFUSED : SagaError.RESULT_MISSING);
                connection.rollback();
            }
            assertCode(
                    () -> Bank.BARRIER.guardJdbc(connection, ACTION, String.class, in -> {
                        in.rollback();
                        return "done";
                    }),
                    SagaError.TRANSACTION_REFUSED);
            connection.rollback();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"autocommit", "read-only", "read-only transaction", "aborted"})
    void a_transaction_that_cannot_keep_the_mark_is_refused(String kind) throws Exception {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit("autocommit".equals(kind));
            connection.setReadOnly("read-only".equals(kind));
            if ("read-only transaction".equals(kind)) {
                Sql.execute(connection, "SET TRANSACTION READ ONLY");
            } else if ("aborted".equals(kind)) {
                assertThatThrownBy(() -> Sql.execute(connection, "SELECT 1 / 0"))
                        .isNotNull();
            }
            assertCode(() -> Bank.callIn(connection, ACTION), SagaError.TRANSACTION_REFUSED);
        }
        assertThat(bank.balance()).isEqualTo(100);
    }

    @Test
    void jooq_without_a_transaction_is_refused() {
        var dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
        assertCode(() -> Bank.BARRIER.guard(dsl, UNDO, Void.class, in -> null), SagaError.TRANSACTION_REFUSED);
    }

    @Test
    void a_result_is_what_was_announced() throws Exception {
        try (Connection connection = Bank.begin(dataSource)) {
            assertCode(
                    () -> Bank.BARRIER.guardJdbc(connection, ACTION, String.class, in -> null),
                    SagaError.RESULT_MISSING);
            connection.rollback();
            assertCode(
                    () -> Bank.BARRIER.guardJdbc(connection, ACTION, String.class, in -> "\0"),
                    SagaError.PAYLOAD_NOT_STORABLE);
            connection.rollback();
            assertCode(
                    () -> Bank.BARRIER.guardJdbc(connection, ACTION, List.class, in -> List.of()),
                    SagaError.INVALID_PAYLOAD_CLASS);
            Bank.BARRIER.guardJdbc(connection, ACTION, Void.class, in -> null);
            assertThat(Bank.BARRIER.guardJdbc(connection, ACTION, Void.class, in -> null))
                    .isEqualTo(new Passage<Void>(Kind.REPLAYED, null));
            assertCode(
                    () -> Bank.BARRIER.guardJdbc(connection, ACTION, String.class, in -> "x"),
                    SagaError.PAYLOAD_UNREADABLE);
            connection.rollback();
        }
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", " ", "\0", "a\ud800"})
    void keys_that_cannot_be_kept_are_refused(String key) {
        var expected = key == null ? SagaError.NULL_ARGUMENT : SagaError.INVALID_ACTION_KEY;
        assertCode(() -> BarrierCall.action(key), expected);
        assertCode(() -> BarrierCall.compensation(key), expected);
    }

    @Test
    void keys_of_200_characters_are_kept_and_longer_ones_refused() {
        String longest = "'\";--\\${schema}?{".repeat(12).substring(0, 200);
        assertThat(bank.call(BarrierCall.action(longest)).kind()).isEqualTo(Kind.RAN);
        assertThat(bank.call(BarrierCall.action(longest)).kind()).isEqualTo(Kind.REPLAYED);
        assertCode(() -> BarrierCall.action(longest + "x"), SagaError.INVALID_ACTION_KEY);
    }

    @Test
    void steps_are_names_of_steps() {
        for (String step : List.of("", " ", "a b", "x".repeat(101), "\0")) {
            assertCode(() -> BarrierCall.of(SAGA, step, Direction.FORWARD), SagaError.INVALID_NAME);
        }
        assertCode(() -> BarrierCall.of(null, "book", Direction.FORWARD), SagaError.NULL_ARGUMENT);
        assertCode(() -> BarrierCall.of(SAGA, null, Direction.FORWARD), SagaError.NULL_ARGUMENT);
        assertCode(() -> BarrierCall.of(SAGA, "book", null), SagaError.NULL_ARGUMENT);
    }

    private static void assertCode(ThrowingCallable call, SagaError error) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SagaException.class, e -> assertThat(e.error()).isEqualTo(error));
    }
}
