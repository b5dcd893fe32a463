package io.holdfast.saga.jdbc.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.reservation.Shelf.Buy;
import io.holdfast.saga.jdbc.testing.OpenTransaction;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Seats: of each there is one. */
@PostgresTest
class ExclusiveReservationTest {
    private static final Reservation<Buy> SEAT = Shelf.STEPS.exclusive("seat", Buy::sku);

    private final Shelf shelf;

    ExclusiveReservationTest(TestDatabase database) {
        this.shelf = new Shelf(database);
    }

    @AfterEach
    void close() throws Exception {
        shelf.close();
    }

    private static SagaHandle start(JdbcSagas sagas, String key, String seat, String fate) {
        return sagas.start(Shelf.TYPE, key, new Buy(seat, 1, fate));
    }

    @Test
    void a_settled_seat_is_taken_for_good_and_its_holder_is_named() {
        JdbcSagas sagas = shelf.node(shelf.buying(SEAT));
        SagaHandle first = start(sagas, "first", "12a", "buys");
        assertThat(Shelf.end(first)).isEqualTo(SagaState.COMPLETED);
        SagaHandle second = start(sagas, "second", "12a", "buys");
        assertThat(Shelf.end(second)).isEqualTo(SagaState.COMPENSATED);
        assertThat(Shelf.error(second))
                .contains("SAGA-410", "seat 12a is taken: saga " + first.sagaId() + " has it (SETTLED");
        assertThat(Shelf.end(start(sagas, "other", "12b", "buys"))).isEqualTo(SagaState.COMPLETED);
    }

    @Test
    void a_seat_that_is_given_back_is_free() {
        JdbcSagas sagas = shelf.node(shelf.buying(SEAT));
        for (String fate : new String[] {"declined", "refused", "buys"}) {
            assertThat(Shelf.end(start(sagas, fate, "12a", fate)))
                    .isEqualTo(fate.equals("buys") ? SagaState.COMPLETED : SagaState.COMPENSATED);
        }
    }

    @Test
    void a_seat_whose_holder_s_pivot_has_begun_is_not_free_when_its_time_is_over() throws InterruptedException {
        CountDownLatch paying = new CountDownLatch(1);
        CountDownLatch paid = new CountDownLatch(1);
        JdbcSagas sagas = shelf.node(SagaDefinition.builder(Shelf.TYPE)
                .step(SEAT.reserve("reserve"))
                .pivot(Shelf.STEPS.external("pay", ctx -> {
                    if (ctx.data().fate().equals("slow")) {
                        paying.countDown();
                        paid.await();
                    }
                }))
                .then(SEAT.settle("settle"))
                .build());
        SagaHandle slow = start(sagas, "slow", "12a", "slow");
        assertThat(paying.await(30, TimeUnit.SECONDS)).isTrue();
        shelf.sql("UPDATE holdfast.saga_reservation SET expires_at = clock_timestamp() - interval '1 hour'");
        SagaHandle other = start(sagas, "other", "12a", "buys");
        assertThat(Shelf.end(other)).isEqualTo(SagaState.COMPENSATED);
        assertThat(Shelf.error(other)).contains("FIRM");
        paid.countDown();
        assertThat(Shelf.end(slow)).isEqualTo(SagaState.COMPLETED);
    }

    /** Whoever firms an expired-looking reservation at the same moment has its row locked: the other waits, and looks again. */
    @Test
    void who_takes_an_expired_seat_waits_for_who_makes_it_firm() {
        JdbcSagas sagas = shelf.node(shelf.buying(SEAT));
        UUID holder = UUID.randomUUID();
        shelf.sql(
                "INSERT INTO holdfast.saga_reservation VALUES (?, ?, 'reserve', 'seat', '12a', 1, true, 'HELD',"
                        + " clock_timestamp(), now(), now())",
                holder,
                holder);
        try (OpenTransaction firming = OpenTransaction.begin(shelf.dataSource)) {
            firming.execute("UPDATE holdfast.saga_reservation SET state = 'FIRM' WHERE saga_id = ?", holder);
            SagaHandle other = start(sagas, "other", "12a", "buys");
            firming.awaitWaiters(1);
            firming.commit();
            assertThat(Shelf.end(other)).isEqualTo(SagaState.COMPENSATED);
            assertThat(Shelf.error(other)).contains(holder.toString(), "FIRM");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\u0000"})
    void an_id_that_is_none_is_refused(String id) {
        JdbcSagas sagas = shelf.node(shelf.buying(Shelf.STEPS.exclusive("seat", buy -> id)));
        SagaHandle saga = start(sagas, "k", "x", "buys");
        assertThat(Shelf.end(saga)).isEqualTo(SagaState.COMPENSATED);
        assertThat(Shelf.error(saga)).contains("SAGA-406");
    }

    @Test
    void the_audit_view_shows_exclusive_ones_too() {
        JdbcSagas sagas = shelf.node(shelf.buying(SEAT));
        assertThat(Shelf.end(start(sagas, "first", "12a", "buys"))).isEqualTo(SagaState.COMPLETED);
        assertThat(shelf.rows("SELECT type_name, business_key, table_name, resource_id, quantity, exclusive, state"
                        + " FROM holdfast.saga_reservations"))
                .containsExactly(Map.of(
                        "type_name", "buy",
                        "business_key", "first",
                        "table_name", "seat",
                        "resource_id", "12a",
                        "quantity", 1L,
                        "exclusive", true,
                        "state", "SETTLED"));
    }
}
