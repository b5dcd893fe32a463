package io.holdfast.saga.jdbc.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.saga.ConcurrentSagaException;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.jdbc.RowId;
import io.holdfast.saga.jdbc.internal.lock.LockReceipt.How;
import io.holdfast.saga.jdbc.internal.table.TableSpec;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.PostgresTest.Scope;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import io.holdfast.saga.spi.Holding;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** B78, B23: every supported type works in every statement; every other is refused when the table is registered. */
@PostgresTest(Scope.PER_CLASS)
class ColumnTypesTest {
    private static final AtomicInteger TABLES = new AtomicInteger();

    private final TestDatabase database;
    private final LockWorld world;

    ColumnTypesTest(TestDatabase database) {
        this.database = database;
        this.world = new LockWorld(database.pool(2));
        world.sql("""
            CREATE SCHEMA IF NOT EXISTS app;
            DROP TYPE IF EXISTS app.order_status CASCADE;
            DROP DOMAIN IF EXISTS app.short_status, app.order_no, app.never CASCADE;
            CREATE TYPE app.order_status AS ENUM ('NEW', 'PENDING', 'CONFIRMED');
            CREATE DOMAIN app.short_status AS varchar(10) CHECK (value <> '');
            CREATE DOMAIN app.order_no AS bigint CHECK (value > 0);
            CREATE DOMAIN app.never AS uuid NOT NULL\
            """);
    }

    /** A table of its own with one row; returns its lock. */
    private LockSpec table(String columns, String key, String row) {
        String name = "t" + TABLES.incrementAndGet();
        world.sql("CREATE TABLE " + name + " (" + columns + (key.isEmpty() ? "" : ", " + key) + ");"
                + (row.isEmpty() ? "" : "INSERT INTO " + name + " VALUES (" + row + ")"));
        return LockSpec.on(TableSpec.of(name)).from("NEW");
    }

    private static String others() {
        return ", status text, saga_id uuid, locked_until timestamptz";
    }

    private void check(TableSpec table) {
        LockableTable.check(
                DSL.using(database.dataSource(), SQLDialect.POSTGRES), table, Set.of("NEW", "PENDING", "CONFIRMED"));
    }

    /** Claims, claims again, asserts, renews, restores, claims, and releases. */
    private void assertWorks(LockSpec lock, Object id) {
        check(lock.table());
        UUID saga = world.saga();
        LockReceipt first = world.claim(lock, saga, id);
        assertThat(world.claim(lock, saga, id).rows().get(0).how()).isEqualTo(How.RE_ENTERED);
        assertThatThrownBy(() -> world.claim(lock, world.saga(), id)).isInstanceOf(ConcurrentSagaException.class);
        world.assertHeld(saga, first);
        String table = lock.table().quoted();
        world.sql("UPDATE " + table + " SET locked_until = clock_timestamp() - interval '1 hour'");
        new LockExtender()
                .extend(
                        DSL.using(database.dataSource(), SQLDialect.POSTGRES),
                        List.of(new Holding(saga, first.receipt().json())),
                        null);
        assertThat(world.value(Boolean.class, "SELECT locked_until > clock_timestamp() FROM " + table))
                .isTrue();
        assertThat(world.restore(saga, first)).isEmpty();
        world.set(saga, "state = 'COMPENSATED', direction = 'BACKWARD', due_at = NULL, owner = NULL");

        UUID next = world.saga();
        world.claim(lock, next, id);
        world.set(next, "state = 'COMPENSATED', direction = 'BACKWARD', due_at = NULL, owner = NULL");
        world.sql("UPDATE " + table + " SET locked_until = clock_timestamp() - interval '1 hour'");
        UUID last = world.saga();
        LockReceipt taken = world.claim(lock, last, id);
        assertThat(world.release(last, taken, "CONFIRMED")).isEmpty();
        assertThat(world.value(String.class, "SELECT concat(status, saga_id, locked_until) FROM " + table))
                .isEqualTo("CONFIRMED");
    }

    static Stream<Arguments> ids() {
        UUID uuid = UUID.randomUUID();
        return Stream.of(
                Arguments.of("smallint", "7", (short) 7),
                Arguments.of("int", "7", 7),
                Arguments.of("int", "7", 7L),
                Arguments.of("bigint", "9000000000", 9_000_000_000L),
                Arguments.of("app.order_no", "7", 7L),
                Arguments.of("uuid", "'" + uuid + "'", uuid),
                Arguments.of("uuid", "'" + uuid + "'", uuid.toString().toUpperCase(Locale.ROOT)),
                Arguments.of("text", "'a''b'", "a'b"),
                Arguments.of("varchar(20)", "'ä?:x'", "ä?:x"));
    }

    @ParameterizedTest
    @MethodSource("ids")
    @DisplayName("B78: ids")
    void ids(String type, String literal, Object id) {
        assertWorks(table("id " + type + " PRIMARY KEY" + others(), "", literal + ", 'NEW'"), id);
    }

    @Test
    @DisplayName("B78: composite ids")
    void composite_ids() {
        LockSpec lock = table("tenant int, no bigint" + others(), "PRIMARY KEY (tenant, no)", "1, 2, 'NEW'");
        LockSpec composite = LockSpec.on(lock.table().idColumns("tenant", "no")).from("NEW");

        assertWorks(composite, RowId.of(1, 2L));
    }

    @ParameterizedTest
    @DisplayName("B78: statuses, an enum and domains of a schema that is not on the search path among them")
    @ValueSource(strings = {"text", "varchar", "varchar(10)", "app.order_status", "app.short_status"})
    void statuses(String type) {
        LockSpec lock = table(
                "id bigint PRIMARY KEY, status " + type + ", saga_id uuid, locked_until timestamptz", "", "1, 'NEW'");

        assertWorks(lock, 1L);
        assertWorks(anyStatus(type), 1L);
    }

    private LockSpec anyStatus(String type) {
        LockSpec lock = table(
                "id bigint PRIMARY KEY, status " + type + ", saga_id uuid, locked_until timestamptz", "", "1, 'NEW'");
        return LockSpec.on(lock.table()).orphanedAs("NEW");
    }

    @ParameterizedTest
    @DisplayName("B78: holders, and deadlines of low precision")
    @CsvSource({"uuid, timestamptz", "text, timestamptz(0)", "varchar(36), timestamptz(3)"})
    void holders(String holder, String deadline) {
        LockSpec lock = table(
                "id bigint PRIMARY KEY, status text, saga_id " + holder + ", locked_until " + deadline, "", "1, 'NEW'");

        assertWorks(lock, 1L);
    }

    @ParameterizedTest
    @DisplayName("B78, B23: what is not supported is refused with the column's real type")
    @CsvSource(
            delimiter = '|',
            value = {
                "id char(5) PRIMARY KEY, status text, saga_id uuid, locked_until timestamptz | character(5)",
                "id numeric PRIMARY KEY, status text, saga_id uuid, locked_until timestamptz | numeric",
                "id bigint, status text, saga_id uuid, locked_until timestamptz | unique",
                "id bigint UNIQUE DEFERRABLE, status text, saga_id uuid, locked_until timestamptz | unique",
                "id bigint PRIMARY KEY, status char(10), saga_id uuid, locked_until timestamptz | character(10)",
                "id bigint PRIMARY KEY, status int, saga_id uuid, locked_until timestamptz | integer",
                "id bigint PRIMARY KEY, status varchar(8), saga_id uuid, locked_until timestamptz | character"
                        + " varying(8)",
                "id bigint PRIMARY KEY, status text, saga_id bigint, locked_until timestamptz | bigint",
                "id bigint PRIMARY KEY, status text, saga_id varchar(20), locked_until timestamptz | character"
                        + " varying(20)",
                "id bigint PRIMARY KEY, status text, saga_id uuid NOT NULL, locked_until timestamptz | not null",
                "id bigint PRIMARY KEY, status text, saga_id app.never, locked_until timestamptz | not null",
                "id bigint PRIMARY KEY, status text, saga_id uuid, locked_until timestamp | timestamp without time"
                        + " zone",
                "id bigint PRIMARY KEY, status text, saga_id uuid, locked_until date | date",
                "id bigint PRIMARY KEY, status text, saga_id uuid, locked_until timestamptz NOT NULL | not null",
                "id bigint PRIMARY KEY, status text, saga_id uuid | locked_until",
                "id bigint PRIMARY KEY, st text, status text GENERATED ALWAYS AS (lower(st)) STORED, saga_id uuid,"
                        + " locked_until timestamptz | computed"
            })
    void unsupported(String columns, String said) {
        TableSpec table = table(columns, "", "").table();

        assertThatThrownBy(() -> check(table))
                .isInstanceOfSatisfying(
                        SagaDefinitionException.class,
                        e -> assertThat(e.error()).isEqualTo(SagaError.INVALID_BUSINESS_TABLE))
                .hasMessageContaining(said);
    }

    @Test
    @DisplayName("B78: statuses that are no labels of the enum are refused when the lock is registered")
    void unknown_labels() {
        LockSpec lock =
                table("id bigint PRIMARY KEY, status app.order_status, saga_id uuid, locked_until timestamptz", "", "");
        lock.released("SHIPPED");

        assertThatThrownBy(() -> new LockResource(lock).register(DSL.using(database.dataSource(), SQLDialect.POSTGRES)))
                .hasMessageContaining("app.order_status")
                .hasMessageContaining("SHIPPED");
    }

    @Test
    @DisplayName("B54: views and tables with a rule on updates are refused")
    void views_and_rules() {
        TableSpec table = table("id bigint PRIMARY KEY" + others(), "", "").table();
        String name = table.qualifiedName().get(1);
        world.sql("CREATE VIEW v_" + name + " AS SELECT * FROM " + name);

        assertThatThrownBy(() -> check(TableSpec.of("v_" + name))).hasMessageContaining("no table");

        world.sql("CREATE RULE lie AS ON UPDATE TO " + name + " DO INSTEAD NOTHING");
        assertThatThrownBy(() -> check(table)).hasMessageContaining("rule");
    }

    @Test
    @DisplayName("B79: a table that is not there is refused, and where else one of that name is, is said")
    void missing() {
        world.sql("CREATE TABLE app.elsewhere (id bigint)");

        assertThatThrownBy(() -> check(TableSpec.of("elsewhere"))).hasMessageContaining("[app]");
    }

    @Test
    void partitioned_tables_can_be_locked() {
        world.sql("""
            CREATE TABLE parts (id bigint PRIMARY KEY, status text, saga_id uuid, locked_until timestamptz)
                PARTITION BY RANGE (id);
            CREATE TABLE part1 PARTITION OF parts FOR VALUES FROM (0) TO (100);
            INSERT INTO parts VALUES (1, 'NEW')\
            """);

        assertWorks(LockSpec.on(TableSpec.of("parts")).from("NEW"), 1L);
    }

    @Test
    void the_printed_ddl_makes_a_table_fit() {
        world.sql(
                "CREATE SCHEMA \"Old \"\" one\"; CREATE TABLE \"Old \"\" one\".\"Order Items\" (id bigint PRIMARY KEY,"
                        + " status text);INSERT INTO \"Old \"\" one\".\"Order Items\" VALUES (1, 'NEW')");
        TableSpec table = TableSpec.of("Old \" one", "Order Items")
                .holderColumn("Held By")
                .deadlineColumn("until\n; DROP SCHEMA app CASCADE; --");

        world.sql(table.ddl());
        world.sql(table.ddl());

        check(table);
        world.claim(LockSpec.on(table).from("NEW"), world.saga(), 1L);
    }
}
