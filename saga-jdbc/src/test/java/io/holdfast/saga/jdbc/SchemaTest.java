package io.holdfast.saga.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaException;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
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
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaTest {
    private static EmbeddedPostgres server;
    private static DataSource database;
    private static DSLContext sql;

    private final String schema = "s_" + UUID.randomUUID();

    @BeforeAll
    static void start() throws Exception {
        server = EmbeddedPostgres.start();
        database = server.getPostgresDatabase();
        sql = DSL.using(database, SQLDialect.POSTGRES);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void applies_what_is_missing_once() {
        Schema.migrate(database, schema);
        Schema.migrate(database, schema);

        Schema.check(database, schema);
        assertThat(sql.fetchCount(DSL.table(DSL.name(schema, "saga_schema")))).isEqualTo(Schema.version());
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
        sql.connection(connection -> connection.createStatement().execute(Schema.ddl(schema)));
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
        sql.deleteFrom(DSL.table(DSL.name(schema, "saga_schema"))).execute();
        sql.execute(
                "insert into {0} (version, description) values (-1, 'old')",
                DSL.table(DSL.name(schema, "saga_schema")));
        assertThatThrownBy(() -> Schema.check(database, schema)).hasMessageContaining("version -1");
    }

    @Test
    void a_refused_statement_leaves_nothing_behind() {
        sql.createSchema(DSL.name(schema)).execute();
        sql.execute("create table {0} (id int)", DSL.table(DSL.name(schema, "saga_log")));
        assertThatThrownBy(() -> Schema.migrate(database, schema))
                .isInstanceOfSatisfying(
                        SagaException.class, e -> assertThat(e.error()).isEqualTo(SagaError.SCHEMA_MISMATCH));
        assertThat(sql.fetchValue("select to_regclass(?) is null", DSL.val("\"" + schema + "\".saga")))
                .isEqualTo(true);
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
        assertThat(sql.fetchCount(DSL.table(DSL.name(name, "saga")))).isZero();
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
        assertThat(sql.fetchValues("""
                        select c.relname || '.' || coalesce(a.attname, '') from pg_class c
                        join pg_namespace n on n.oid = c.relnamespace and n.nspname = ?
                        left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
                        where c.relkind in ('r', 'v')
                          and (obj_description(c.oid) is null or col_description(c.oid, a.attnum) is null
                               or a.atttypid = 'timestamp'::regtype)""", schema)).isEmpty();
    }
}
