package io.holdfast.saga.jdbc.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.jdbc.BusinessTable;
import io.holdfast.saga.jdbc.internal.table.TableSpec;
import io.holdfast.saga.jdbc.testing.Fixtures;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.PostgresTest.Scope;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import io.holdfast.saga.spi.Holding;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** B79, B125: a name means exactly the table or column of that name, whatever is in it. */
@PostgresTest(Scope.PER_CLASS)
class NamesTest {
    private final TestDatabase database;
    private final LockWorld world;

    NamesTest(TestDatabase database) {
        this.database = database;
        this.world = new LockWorld(database.pool(2));
    }

    private DSLContext dsl() {
        return DSL.using(database.dataSource(), SQLDialect.POSTGRES);
    }

    @Test
    @DisplayName("B79: schema and table are two names, in their case; a decoy of the same name is not touched")
    void mixed_case_and_decoys() {
        world.sql("""
            CREATE SCHEMA "Sales";
            CREATE TABLE "Sales"."Order Items" ("Id" bigint PRIMARY KEY, "Status" text, "Saga" uuid, "Until" timestamptz);
            INSERT INTO "Sales"."Order Items" VALUES (1, 'NEW');
            CREATE TABLE "Order Items" AS SELECT * FROM "Sales"."Order Items"
            """);
        TableSpec table = TableSpec.of("Sales", "Order Items")
                .idColumn("Id")
                .statusColumn("Status")
                .holderColumn("Saga")
                .deadlineColumn("Until");
        LockSpec lock = LockSpec.on(table).from("NEW");
        LockableTable.check(dsl(), table, Set.of("NEW"));
        UUID saga = world.saga();

        LockReceipt receipt = world.claim(lock, saga, 1L);
        assertThat(world.row("\"Sales\".\"Order Items\"", "true")).containsEntry("Saga", saga);
        world.assertHeld(saga, receipt);
        new LockExtender()
                .extend(dsl(), List.of(new Holding(saga, receipt.receipt().json())), null);
        world.release(saga, receipt, "CONFIRMED");

        assertThat(world.row("\"Sales\".\"Order Items\"", "true")).containsEntry("Status", "CONFIRMED");
        assertThat(world.row("public.\"Order Items\"", "true"))
                .containsEntry("Status", "NEW")
                .containsEntry("Saga", null);
    }

    @ParameterizedTest
    @DisplayName("B125: hostile names of tables are names")
    @ValueSource(
            strings = {
                "orders\" SET status='X' --",
                "\"orders\"",
                "a.b",
                "orders; DROP TABLE effect; --",
                "what? {0} :x ${y} \\",
                "\uD83D\uDE00",
                "line\nbreak"
            })
    void hostile_tables(String name) {
        Fixtures.install(
                database.dataSource(), "DROP TABLE IF EXISTS orders, effect; " + Fixtures.ORDERS + Fixtures.EFFECT);
        TableSpec missing = TableSpec.of(name);
        assertThatThrownBy(() -> LockableTable.check(dsl(), missing, Set.of()))
                .isInstanceOf(SagaDefinitionException.class);
        assertThatThrownBy(() -> world.claim(LockSpec.on(missing), world.saga(), 1L))
                .isNotNull();

        String quoted = missing.quoted();
        world.sql(
                "CREATE TABLE " + quoted + " (LIKE orders INCLUDING ALL); INSERT INTO " + quoted + " (id) VALUES (1)");
        LockableTable.check(dsl(), missing, Set.of());
        UUID saga = world.saga();
        LockReceipt receipt = world.claim(LockSpec.on(missing), saga, 1L);
        new LockExtender()
                .extend(dsl(), List.of(new Holding(saga, receipt.receipt().json())), null);
        world.restore(saga, receipt);

        assertThat(world.value(Long.class, "SELECT count(*) FROM orders WHERE status = 'NEW' AND saga_id IS NULL"))
                .isEqualTo(20);
        assertThat(world.value(Long.class, "SELECT count(*) FROM effect")).isZero();
    }

    @ParameterizedTest
    @DisplayName("B125: hostile statuses and ids are values")
    @ValueSource(strings = {"x' OR 'a'='a", "'; DROP TABLE effect; --", "\\'", "? {0} :x", "\"", "\uD83D\uDE00"})
    void hostile_values(String value) {
        world.sql(
                "DROP TABLE IF EXISTS docs, effect; CREATE TABLE docs (id text PRIMARY KEY, status text, saga_id uuid,"
                        + " locked_until timestamptz);" + Fixtures.EFFECT);
        Sql.execute(database.dataSource(), "INSERT INTO docs VALUES (?, ?), ('other', 'NEW')", value, value);
        LockSpec lock = LockSpec.on(TableSpec.of("docs")).from(value).pending(value + "!");
        UUID saga = world.saga();

        LockReceipt receipt = world.claim(lock, saga, value);
        assertThat(world.row("docs", "saga_id IS NOT NULL")).containsEntry("status", value + "!");
        world.release(saga, receipt, value + "?");

        assertThat(world.row("docs", "id <> 'other'")).containsEntry("status", value + "?");
        assertThat(world.row("docs", "id = 'other'")).containsEntry("status", "NEW");
        assertThat(world.value(Long.class, "SELECT count(*) FROM effect")).isZero();
    }

    @ParameterizedTest
    @DisplayName("B125: names that PostgreSQL cannot hold are refused by the call that gives them")
    @ValueSource(
            strings = {
                "",
                " ",
                "nul\u0000",
                "half\uD83D",
                "1234567890123456789012345678901234567890123456789012345678901234",
                "ääääääääääääääääääääääääääääääää"
            })
    void impossible_names(String name) {
        assertRefused(() -> BusinessTable.of(name));
        assertRefused(() -> BusinessTable.of("public", name));
        assertRefused(() -> BusinessTable.of("orders").idColumn(name));
        assertRefused(() -> BusinessTable.of("orders").idColumns("a", name));
        assertRefused(() -> BusinessTable.of("orders").statusColumn(name));
        assertRefused(() -> BusinessTable.of("orders").holderColumn(name));
        assertRefused(() -> BusinessTable.of("orders").deadlineColumn(name));
        assertRefused(() -> BusinessTable.of("orders").versionColumn(name));
    }

    @Test
    void nulls_duplicates_and_wrong_numbers_of_names_are_refused() {
        assertRefused(() -> BusinessTable.of());
        assertRefused(() -> BusinessTable.of((String[]) null));
        assertRefused(() -> BusinessTable.of((String) null));
        assertRefused(() -> BusinessTable.of("a", "b", "c"));
        assertRefused(() -> BusinessTable.of(DSL.table(DSL.name("a", "b", "c"))));
        assertRefused(() -> BusinessTable.of("orders").idColumns());
        assertRefused(() -> BusinessTable.of("orders").idColumns("a", "a"));
        assertRefused(() -> BusinessTable.of("orders").statusColumn("id"));
        assertThatThrownBy(() -> BusinessTable.of((Table<?>) null)).isInstanceOf(SagaDefinitionException.class);
    }

    @Test
    void a_table_known_to_jooq_is_taken_by_its_name() {
        assertThat(BusinessTable.of(DSL.table(DSL.name("Sales", "Order Items"))).qualifiedName())
                .containsExactly("Sales", "Order Items");
        assertThat(BusinessTable.of(DSL.table(DSL.name("orders")))).isEqualTo(BusinessTable.of("orders"));
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SagaDefinitionException.class,
                        e -> assertThat(e.error()).isEqualTo(SagaError.INVALID_BUSINESS_TABLE));
    }
}
