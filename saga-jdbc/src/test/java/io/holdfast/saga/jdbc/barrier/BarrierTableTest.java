package io.holdfast.saga.jdbc.barrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.saga.jdbc.JacksonCodec;
import io.holdfast.saga.jdbc.barrier.Passage.Kind;
import io.holdfast.saga.jdbc.testing.OpenTransaction;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.SqlFailure;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The barrier's table: how it is made, named, checked and cleaned up. */
@PostgresTest(PostgresTest.Scope.PER_CLASS)
class BarrierTableTest {
    private static final BarrierCall ACTION = BarrierCall.action("key-1");
    private static final BarrierCall UNDO = BarrierCall.compensation("key-1");

    private final TestDatabase database;
    private final DataSource dataSource;

    BarrierTableTest(TestDatabase database) {
        this.database = database;
        this.dataSource = database.dataSource();
    }

    @BeforeEach
    void clear() {
        Sql.execute(dataSource, "DROP SCHEMA IF EXISTS bank CASCADE");
    }

    private static Kind call(DataSource dataSource, String schema, BarrierCall call) throws Exception {
        try (Connection connection = Bank.begin(dataSource)) {
            Kind kind = Barrier.in(schema)
                    .guardJdbc(connection, call, String.class, in -> "done")
                    .kind();
            connection.commit();
            return kind;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\"; drop table x; --",
                "with.dot",
                "with space",
                "\"q\"",
                "a?b",
                "{x}",
                "$1",
                "${schema}",
                "😀",
                "x'y",
                "{barrier}"
            })
    void a_hostile_name_of_a_schema_is_only_a_name(String schema) throws Exception {
        Barrier.migrate(dataSource, schema);
        assertThat(call(dataSource, schema, ACTION)).isEqualTo(Kind.RAN);
        assertThat(call(dataSource, schema, ACTION)).isEqualTo(Kind.REPLAYED);
        assertThat(call(dataSource, schema, UNDO)).isEqualTo(Kind.RAN);
        assertThat(Barrier.in(schema).purge(dataSource, Duration.ofHours(1))).isZero();
        assertThat(Sql.value(
                        dataSource,
                        Long.class,
                        "SELECT count(*) FROM pg_tables WHERE schemaname = ? AND tablename = 'saga_barrier'",
                        schema))
                .isOne();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\0b", "0123456789012345678901234567890123456789012345678901234567890123"})
    void a_name_that_the_server_would_cut_or_refuse_is_refused_here(String schema) {
        assertThatThrownBy(() -> Barrier.in(schema)).hasMessageStartingWith("SAGA-101");
        assertThatThrownBy(() -> Barrier.ddl(schema)).hasMessageStartingWith("SAGA-101");
        assertThatThrownBy(() -> Barrier.migrate(dataSource, schema)).hasMessageStartingWith("SAGA-101");
    }

    @Test
    void what_is_printed_is_what_is_applied_and_both_can_be_repeated() {
        Barrier.migrate(dataSource, "bank");
        Barrier.migrate(dataSource, "bank");
        String columns = "SELECT column_name, data_type, is_nullable FROM information_schema.columns"
                + " WHERE table_schema = 'bank' ORDER BY ordinal_position";
        var applied = Sql.rows(dataSource, columns);
        Sql.execute(dataSource, "DROP SCHEMA bank CASCADE");
        Sql.execute(dataSource, Barrier.ddl("bank"));
        Sql.execute(dataSource, Barrier.ddl("bank"));
        assertThat(Sql.rows(dataSource, columns)).isEqualTo(applied).hasSize(6);
        assertThat(Sql.rows(dataSource, "SELECT tablename FROM pg_tables WHERE schemaname = 'bank'"))
                .as("nothing of the sagas is needed")
                .hasSize(1);
        assertThat(Sql.value(
                        dataSource,
                        Long.class,
                        "SELECT count(*) FROM pg_attribute a WHERE attrelid = 'bank.saga_barrier'::regclass AND attnum > 0"
                                + " AND col_description(attrelid, attnum) IS NULL"))
                .as("columns without a comment")
                .isZero();
    }

    @Test
    void several_nodes_may_create_it_at_once() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(4);
        List<Future<?>> nodes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            nodes.add(executor.submit(() -> Barrier.migrate(dataSource, "bank")));
        }
        for (Future<?> node : nodes) {
            node.get(10, TimeUnit.SECONDS);
        }
        executor.shutdown();
        assertThat(call(dataSource, "bank", ACTION)).isEqualTo(Kind.RAN);
    }

    @Test
    void a_missing_table_is_said_to_be_missing() {
        assertThatThrownBy(() -> call(dataSource, "bank", ACTION))
                .hasMessageStartingWith("SAGA-122")
                .hasMessageContaining("Barrier.migrate");
        assertThatThrownBy(() -> Barrier.in("bank").purge(dataSource, Duration.ofDays(1)))
                .hasMessageStartingWith("SAGA-122");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'', '', 'DONE', NULL, NULL",
                "'k', '', 'LATE', NULL, NULL",
                "'k', '', 'EMPTY', '{}', NULL",
                "'k', '', 'DONE', NULL, '{}'"
            })
    void a_row_that_means_nothing_is_refused_by_the_table(String values) {
        Barrier.migrate(dataSource, "bank");
        assertThatThrownBy(() -> Sql.execute(
                        dataSource, "INSERT INTO bank.saga_barrier VALUES (" + values + ", clock_timestamp())"))
                .isInstanceOfSatisfying(
                        SqlFailure.class, e -> assertThat(e.sqlState()).isEqualTo("23514"));
    }

    @Test
    void a_purge_forgets_what_was_decided_long_ago_in_batches_and_nothing_else() throws Exception {
        Barrier.migrate(dataSource, "bank");
        Sql.execute(
                dataSource,
                "INSERT INTO bank.saga_barrier (action, step, state, changed_at)"
                        + " SELECT 'old-' || n, '', (ARRAY['DONE', 'UNDONE', 'EMPTY'])[1 + n % 3],"
                        + " clock_timestamp() - interval '31 days' FROM generate_series(1, 2500) n");
        call(dataSource, "bank", ACTION);
        age("key-1", "29 days");

        assertThat(Barrier.in("bank").purge(dataSource, Duration.ofDays(30))).isEqualTo(2500);
        assertThat(Barrier.in("bank").purge(dataSource, Duration.ofDays(30))).isZero();
        assertThat(call(dataSource, "bank", ACTION)).isEqualTo(Kind.REPLAYED);
    }

    /** The row is as old as its last change: an undo that came late is remembered as long as any other. */
    @Test
    void a_purge_counts_from_the_last_change_and_waits_for_nobody() throws Exception {
        Barrier.migrate(dataSource, "bank");
        Barrier barrier = Barrier.in("bank");
        call(dataSource, "bank", ACTION);
        age("key-1", "31 days");
        try (OpenTransaction undoing = OpenTransaction.begin(dataSource)) {
            barrier.guardJdbc(undoing.connection(), UNDO, Void.class, in -> null);
            assertThat(barrier.purge(dataSource, Duration.ofDays(30))).isZero();
            undoing.commit();
        }
        assertThat(barrier.purge(dataSource, Duration.ofDays(30))).isZero();
        assertThat(call(dataSource, "bank", ACTION)).isEqualTo(Kind.LATE);
    }

    @Test
    void a_purge_copes_with_a_database_that_is_serializable_by_default() throws Exception {
        Barrier.migrate(dataSource, "bank");
        call(dataSource, "bank", ACTION);
        age("key-1", "31 days");
        String alter = "ALTER DATABASE " + database.name();
        Sql.execute(dataSource, alter + " SET default_transaction_isolation = 'serializable'");
        try {
            assertThat(Barrier.in("bank").purge(dataSource, Duration.ofDays(30)))
                    .isOne();
        } finally {
            Sql.execute(dataSource, alter + " RESET default_transaction_isolation");
        }
    }

    @Test
    void an_age_that_could_forget_what_runs_is_refused() {
        Barrier barrier = Barrier.in("bank");
        assertThatThrownBy(() -> barrier.purge(dataSource, Duration.ofMinutes(59)))
                .hasMessageStartingWith("SAGA-104");
        assertThatThrownBy(() -> barrier.purge(dataSource, Duration.ofDays(40_000)))
                .hasMessageStartingWith("SAGA-104");
        assertThatThrownBy(() -> barrier.purge(dataSource, null)).hasMessageStartingWith("SAGA-106");
        assertThatThrownBy(() -> barrier.codec(null)).hasMessageStartingWith("SAGA-106");
        assertThat(barrier.codec(JacksonCodec.standard())).isNotSameAs(barrier);
    }

    private void age(String action, String by) {
        Sql.execute(
                dataSource,
                "UPDATE bank.saga_barrier SET changed_at = changed_at - cast(? AS interval) WHERE action = ?",
                by,
                action);
    }
}
