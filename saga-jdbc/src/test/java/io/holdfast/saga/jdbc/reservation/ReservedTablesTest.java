package io.holdfast.saga.jdbc.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.jdbc.BusinessTable;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.JdbcSteps;
import io.holdfast.saga.jdbc.RowId;
import io.holdfast.saga.jdbc.reservation.Shelf.Buy;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import io.holdfast.saga.memory.InMemorySagas;
import java.time.Duration;
import java.util.Map;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be reserved, who is refused where, and what readers see. */
@PostgresTest
class ReservedTablesTest {
    private static final JdbcSteps<Buy> STEPS = Shelf.STEPS;

    private final Shelf shelf;

    ReservedTablesTest(TestDatabase database) {
        this.shelf = new Shelf(database);
    }

    @AfterEach
    void close() throws Exception {
        shelf.close();
    }

    @Test
    void a_missing_row_and_an_unknown_capacity_are_told_apart() {
        shelf.sql("ALTER TABLE stock ALTER qty DROP NOT NULL; UPDATE stock SET qty = NULL WHERE sku = 'b'");
        JdbcSagas sagas = shelf.node(shelf.buying(Shelf.stock()));
        SagaHandle missing = sagas.start(Shelf.TYPE, "missing", Buy.one("z"));
        assertThat(Shelf.end(missing)).isEqualTo(SagaState.COMPENSATED);
        assertThat(Shelf.error(missing)).contains("SAGA-402");
        SagaHandle unknown = sagas.start(Shelf.TYPE, "unknown", Buy.one("b"));
        assertThat(Shelf.end(unknown)).isEqualTo(SagaState.COMPENSATED);
        assertThat(Shelf.error(unknown)).contains("SAGA-412", "qty is null");
        assertThat(sagas.reservations().available(Shelf.STOCK, "qty", "z")).isEmpty();
        assertThat(sagas.reservations().available(Shelf.STOCK, "qty", "b")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE})
    void a_quantity_that_is_none_is_refused(long quantity) {
        JdbcSagas sagas = shelf.node(shelf.buying(Shelf.stock()));
        SagaHandle saga = Shelf.start(sagas, "k", quantity, "buys");
        assertThat(Shelf.end(saga)).isEqualTo(SagaState.COMPENSATED);
        assertThat(Shelf.error(saga)).contains("SAGA-407");
    }

    @Test
    void tables_of_one_name_and_keys_of_several_columns_are_not_mixed_up() {
        shelf.sql("""
                CREATE SCHEMA "other ""shop\""";
                CREATE TABLE "other ""shop\""".stock (tenant int, sku text, "left" numeric(10,1), PRIMARY KEY (tenant, sku));
                INSERT INTO "other ""shop\""".stock VALUES (1, 'a', 2.5), (2, 'a', 5);
                """);
        BusinessTable other = BusinessTable.of("other \"shop\"", "stock").idColumns("tenant", "sku");
        QuantityReservation<Buy> reservation = STEPS.reservation(other, buy -> RowId.of(1, buy.sku()), Buy::quantity)
                .capacityColumn("left");
        JdbcSagas sagas = shelf.node(shelf.buying(reservation));
        assertThat(Shelf.end(Shelf.start(sagas, "two", 2, "buys"))).isEqualTo(SagaState.COMPLETED);
        SagaHandle more = Shelf.start(sagas, "more", 1, "buys");
        assertThat(Shelf.end(more)).isEqualTo(SagaState.COMPENSATED);
        assertThat(Shelf.error(more)).contains("1 wanted and 0 available");
        assertThat(sagas.reservations().available(other, "left", RowId.of(2, "a")))
                .contains(5L);
        assertThat(sagas.reservations().available(other, "left", RowId.of(1, "a")))
                .contains(0L);
        assertThat(Shelf.available(sagas)).isEqualTo(10);
        assertThat(shelf.rows("SELECT resource_id FROM holdfast.saga_reservation"))
                .containsExactly(Map.of("resource_id", "[\"1\", \"a\"]"));
    }

    @Test
    void readers_have_a_field_and_a_view_of_what_is_available() {
        JdbcSagas sagas = shelf.node(shelf.buying(Shelf.stock()));
        shelf.sql(sagas.reservations().availabilityView(Shelf.STOCK, "qty", "in_stock"));
        shelf.meanwhile = ctx -> {
            assertThat(shelf.rows("SELECT sku, qty, available FROM in_stock ORDER BY sku"))
                    .containsExactly(
                            Map.of("sku", "a", "qty", 10, "available", 6L),
                            Map.of("sku", "b", "qty", 10, "available", 10L));
            var available = sagas.reservations().availableUnits(Shelf.STOCK, "qty");
            assertThat(DSL.using(shelf.dataSource, SQLDialect.POSTGRES)
                            .select(available)
                            .from(DSL.table(DSL.name("public", "stock")))
                            .where(available.lt(10L))
                            .fetch(available))
                    .containsExactly(6L);
        };
        assertThat(Shelf.end(Shelf.start(sagas, "k", 4, "buys"))).isEqualTo(SagaState.COMPLETED);
    }

    @Test
    void a_capacity_that_is_no_number_is_refused_at_registration() {
        assertThatThrownBy(() -> shelf.node(shelf.buying(Shelf.stock().capacityColumn("status"))))
                .isInstanceOf(SagaDefinitionException.class)
                .hasMessageContaining("SAGA-120");
        assertThatThrownBy(() -> shelf.node(shelf.buying(Shelf.stock().capacityColumn("quantity"))))
                .hasMessageContaining("SAGA-120");
    }

    @Test
    @DisplayName("B22: a time to live that is none, names and nulls are refused where they are given")
    void refusals() {
        QuantityReservation<Buy> stock = Shelf.stock();
        for (Duration ttl : new Duration[] {
            Duration.ZERO,
            Duration.ofMillis(-1),
            Duration.ofNanos(1),
            Duration.ofSeconds(Long.MAX_VALUE),
            Duration.ofDays(365_000_000),
            null
        }) {
            assertThatThrownBy(() -> stock.ttl(ttl)).isInstanceOf(SagaDefinitionException.class);
            assertThatThrownBy(() -> STEPS.exclusive("seat", Buy::sku).ttl(ttl))
                    .isInstanceOf(SagaDefinitionException.class);
        }
        assertThatThrownBy(() -> stock.reserve(" ")).hasMessageContaining("SAGA-101");
        assertThatThrownBy(() -> stock.capacityColumn("")).hasMessageContaining("SAGA-120");
        assertThatThrownBy(() -> STEPS.exclusive(" ", Buy::sku)).hasMessageContaining("SAGA-125");
        assertThatThrownBy(() -> STEPS.exclusive("x\u0000", Buy::sku)).hasMessageContaining("SAGA-125");
        assertThatThrownBy(() -> STEPS.exclusive("x".repeat(201), Buy::sku)).hasMessageContaining("SAGA-125");
        assertThatThrownBy(() -> STEPS.exclusive(null, Buy::sku)).hasMessageContaining("SAGA-106");
        assertThatThrownBy(() -> STEPS.reservation(Shelf.STOCK, Buy::sku, null)).hasMessageContaining("SAGA-106");
        assertThatThrownBy(() -> SagaDefinition.builder(Shelf.TYPE)
                        .step(stock.reserve("reserve"))
                        .build())
                .hasMessageContaining("SAGA-113");
    }

    @Test
    void without_a_database_reserving_and_settling_succeed() {
        try (InMemorySagas sagas =
                InMemorySagas.builder().register(shelf.buying(Shelf.stock())).build()) {
            assertThat(sagas.run(Shelf.TYPE, "k", Buy.one("a"), Duration.ofMinutes(1))
                            .orElseThrow()
                            .state())
                    .isEqualTo(SagaState.COMPLETED);
            assertThat(sagas.run(Shelf.TYPE, "undone", Buy.one("a").but("declined"), Duration.ofMinutes(1))
                            .orElseThrow()
                            .state())
                    .isEqualTo(SagaState.COMPENSATED);
        }
    }
}
