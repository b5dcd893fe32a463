package io.holdfast.saga.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaException;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@PostgresTest(PostgresTest.Scope.PER_CLASS)
class SchemaTest {
    private final DataSource database;
    private final String schema = "s_" + UUID.randomUUID();

    SchemaTest(TestDatabase database) {
        this.database = database.dataSource();
    }

    @Test
    void applies_what_is_missing_once() {
        Schema.migrate(database, schema);
        Schema.migrate(database, schema);

        Schema.check(database, schema);
        assertThat(count(schema, "saga_schema")).isEqualTo(Schema.version());
    }

    @Test
    void several_nodes_may_apply_it_at_once() throws Exception {
        ExecutorService nodes = Executors.newFixedThreadPool(8);
        List<Callable<Void>> starts = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            starts.add(() -> {
                Schema.migrate(database, schema);
                return null;
            });
        }
        for (Future<Void> start : nodes.invokeAll(starts)) {
            start.get();
        }
        nodes.shutdown();
        Schema.check(database, schema);
    }

    @Test
    void what_is_printed_is_what_is_applied_and_records_itself() {
        Sql.execute(database, Schema.ddl(schema));
        Schema.check(database, schema);
        Schema.migrate(database, schema);
    }

    @Test
    void leaves_the_autocommit_mode_as_it_was() throws SQLException {
        for (boolean mode : new boolean[] {true, false}) {
            try (Connection connection = database.getConnection()) {
                connection.setAutoCommit(mode);
                Schema.migrate(Unclosed.dataSource(connection), schema);
                assertThat(connection.getAutoCommit()).isEqualTo(mode);
                Schema.check(Unclosed.dataSource(connection), schema);
                assertThat(connection.getAutoCommit()).isEqualTo(mode);
            }
        }
    }

    @Test
    void says_that_tables_are_missing_or_too_old() {
        assertThatThrownBy(() -> Schema.check(database, schema))
                .isInstanceOfSatisfying(
                        SagaException.class, e -> assertThat(e.error()).isEqualTo(SagaError.SCHEMA_MISMATCH))
                .hasMessageContaining("missing")
                .hasMessageContaining("Schema.migrate");
        Schema.migrate(database, schema);
        Sql.execute(database, "UPDATE \"" + schema + "\".saga_schema SET version = version - 1000");
        assertThatThrownBy(() -> Schema.check(database, schema)).hasMessageContaining("at version -");
    }

    @Test
    void a_refused_statement_leaves_nothing_behind() {
        Sql.execute(database, "CREATE SCHEMA \"" + schema + "\"");
        Sql.execute(database, "CREATE TABLE \"" + schema + "\".saga_log (id int)");
        assertThatThrownBy(() -> Schema.migrate(database, schema))
                .isInstanceOfSatisfying(
                        SagaException.class, e -> assertThat(e.error()).isEqualTo(SagaError.SCHEMA_MISMATCH));
        assertThat(Sql.value(database, Boolean.class, "SELECT to_regclass(?) IS NULL", "\"" + schema + "\".saga"))
                .isTrue();
    }

    /** B125, B79. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\"; drop table x; --",
                "with.dot",
                "with space",
                "\"quoted\"",
                "a?b",
                "{x}",
                "$1",
                "${schema}",
                "😀",
                "x'y"
            })
    void a_hostile_name_is_only_a_name(String name) {
        Schema.migrate(database, name);
        Schema.check(database, name);
        assertThat(count(name, "saga")).isZero();
    }

    /** B125. */
    @ParameterizedTest
    @ValueSource(
            strings = {"", "  ", "a\0b", "0123456789012345678901234567890123456789012345678901234567890123", "\uD800"})
    void a_name_that_the_server_would_cut_or_refuse_is_refused_here(String name) {
        assertThatThrownBy(() -> Schema.ddl(name))
                .isInstanceOfSatisfying(
                        SagaException.class, e -> assertThat(e.error()).isEqualTo(SagaError.INVALID_NAME));
    }

    @Test
    void every_table_and_column_is_commented_and_every_time_has_a_zone() {
        Schema.migrate(database, schema);
        assertThat(Sql.rows(database, """
                        SELECT c.relname || '.' || coalesce(a.attname, '') FROM pg_class c
                        JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = ?
                        LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
                        WHERE c.relkind IN ('r', 'v')
                          AND (obj_description(c.oid) IS NULL OR col_description(c.oid, a.attnum) IS NULL
                               OR a.atttypid = 'timestamp'::regtype)""", schema)).isEmpty();
    }

    private long count(String schemaName, String table) {
        String name = "\"" + schemaName.replace("\"", "\"\"") + "\"." + table;
        return Sql.value(database, Long.class, "SELECT count(*) FROM " + name);
    }
}
