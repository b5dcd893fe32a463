package io.holdfast.saga.jdbc.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.saga.jdbc.RowId;
import io.holdfast.saga.jdbc.internal.table.TableSpec;
import io.holdfast.saga.jdbc.testing.Fixtures;
import io.holdfast.saga.jdbc.testing.OpenTransaction;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import io.holdfast.saga.spi.Holding;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Protocol §7: what the heartbeat does to held rows. */
@PostgresTest
class LockExtenderTest {
    private static final LockSpec ORDERS =
            LockSpec.on(TableSpec.of("orders")).from("NEW").lockFor(Duration.ofSeconds(100));
    private static final LockSpec STOCK =
            LockSpec.on(TableSpec.of("stock").idColumn("sku")).from("FREE").lockFor(Duration.ofSeconds(10));

    private final TestDatabase database;
    private final LockWorld world;

    LockExtenderTest(TestDatabase database) {
        this.database = database;
        this.world = new LockWorld(database.pool(4));
    }

    @BeforeEach
    void tables() {
        Fixtures.install(database.dataSource(), Fixtures.ORDERS, Fixtures.STOCK);
    }

    private void extend(Holding... holdings) {
        new LockExtender().extend(DSL.using(database.dataSource(), SQLDialect.POSTGRES), List.of(holdings), null);
    }

    private Holding holding(UUID saga, LockReceipt receipt) {
        return new Holding(saga, receipt.receipt().json());
    }

    private void leave(String table, String where, int seconds) {
        world.sql("UPDATE " + table + " SET locked_until = clock_timestamp() + interval '" + seconds
                + " seconds' WHERE " + where);
    }

    private long secondsLeft(String table, String where) {
        return world.value(
                Long.class,
                "SELECT cast(extract(epoch FROM locked_until - clock_timestamp()) AS bigint) FROM " + table + " WHERE "
                        + where);
    }

    @Test
    void rows_below_half_of_their_duration_are_renewed_in_every_table() {
        UUID one = world.saga();
        UUID other = world.saga();
        Holding orders = holding(one, world.claim(ORDERS, one, 1L, 2L));
        Holding stock = holding(other, world.claim(STOCK, other, "a", "b"));
        leave("orders", "id = 1", 49);
        leave("orders", "id = 2", 60);
        leave("stock", "true", 3);

        extend(orders, stock);

        assertThat(secondsLeft("orders", "id = 1")).isBetween(98L, 100L);
        assertThat(secondsLeft("orders", "id = 2")).isBetween(58L, 60L);
        assertThat(secondsLeft("stock", "sku = 'a'")).isBetween(8L, 10L);
        assertThat(secondsLeft("stock", "sku = 'b'")).isBetween(8L, 10L);
    }

    @Test
    @DisplayName("B18: a row that another saga holds meanwhile is not touched")
    void nobody_elses_row_is_renewed() {
        UUID old = world.saga();
        Holding stale = holding(old, world.claim(ORDERS, old, 1L));
        world.sql("UPDATE orders SET saga_id = '" + world.saga() + "' WHERE id = 1");
        leave("orders", "id = 1", 5);

        extend(stale);

        assertThat(secondsLeft("orders", "id = 1")).isLessThanOrEqualTo(5);
    }

    /** Checked by the statement itself: the node may freeze after any check of its own. */
    @Test
    @DisplayName("B18: once the leases are over nothing is renewed, whoever holds the row")
    void nothing_is_renewed_when_the_time_is_over() {
        UUID saga = world.saga();
        Holding held = holding(saga, world.claim(ORDERS, saga, 1L));
        leave("orders", "id = 1", 5);
        OffsetDateTime now = world.value(OffsetDateTime.class, "SELECT clock_timestamp()");

        new LockExtender().extend(DSL.using(database.dataSource(), SQLDialect.POSTGRES), List.of(held), now);
        assertThat(secondsLeft("orders", "id = 1")).isLessThanOrEqualTo(5);
        new LockExtender()
                .extend(DSL.using(database.dataSource(), SQLDialect.POSTGRES), List.of(held), now.plusHours(1));
        assertThat(secondsLeft("orders", "id = 1")).isGreaterThan(90);
    }

    @Test
    void a_locked_row_is_skipped_and_the_others_are_renewed() {
        UUID saga = world.saga();
        Holding held = holding(saga, world.claim(ORDERS, saga, 1L, 2L));
        leave("orders", "id IN (1, 2)", 5);
        try (var step = OpenTransaction.begin(database.dataSource())) {
            step.execute("UPDATE orders SET total = 11 WHERE id = 1");

            extend(held);
        }

        assertThat(secondsLeft("orders", "id = 1")).isLessThanOrEqualTo(5);
        assertThat(secondsLeft("orders", "id = 2")).isGreaterThan(90);
    }

    @Test
    void composite_ids_are_renewed() {
        world.sql("""
            CREATE TABLE lines (tenant int, no bigint, status text DEFAULT 'NEW', saga_id uuid, locked_until timestamptz,
                                PRIMARY KEY (tenant, no));
            INSERT INTO lines (tenant, no) VALUES (1, 1), (1, 2), (2, 1)\
            """);
        LockSpec lines =
                LockSpec.on(TableSpec.of("lines").idColumns("tenant", "no")).from("NEW");
        UUID saga = world.saga();
        Holding held = holding(saga, world.claim(lines, saga, RowId.of(1, 2L), RowId.of(2, 1L)));
        leave("lines", "saga_id IS NOT NULL", 5);

        extend(held);

        assertThat(secondsLeft("lines", "tenant = 1 AND no = 2")).isGreaterThan(50);
        assertThat(secondsLeft("lines", "tenant = 2")).isGreaterThan(50);
    }

    @Test
    void a_table_that_is_gone_does_not_keep_the_others_from_being_renewed() {
        UUID saga = world.saga();
        Holding orders = holding(saga, world.claim(ORDERS, saga, 1L));
        Holding stock = holding(saga, world.claim(STOCK, saga, "a"));
        leave("stock", "sku = 'a'", 1);
        world.sql("DROP TABLE orders");

        assertThat(catchThrowable(() -> extend(orders, stock))).isNotNull();

        assertThat(secondsLeft("stock", "sku = 'a'")).isGreaterThan(5);
    }
}
