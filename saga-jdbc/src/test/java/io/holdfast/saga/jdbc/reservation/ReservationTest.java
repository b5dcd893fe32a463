package io.holdfast.saga.jdbc.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.StepRejectedException;
import io.holdfast.saga.Verdict;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.JdbcSteps;
import io.holdfast.saga.jdbc.reservation.Shelf.Buy;
import io.holdfast.saga.jdbc.testing.OpenTransaction;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.StatementCut;
import io.holdfast.saga.jdbc.testing.TcpProxy;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Quantities that are reserved, settled, given back, or expire. */
@PostgresTest
class ReservationTest {
    private static final JdbcSteps<Buy> STEPS = Shelf.STEPS;

    private final Shelf shelf;

    ReservationTest(TestDatabase database) {
        this.shelf = new Shelf(database);
    }

    @AfterEach
    void close() throws Exception {
        shelf.close();
    }

    @Test
    void what_is_reserved_is_not_available_and_what_is_settled_is_gone() throws InterruptedException {
        CountDownLatch reserved = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        shelf.meanwhile = ctx -> {
            reserved.countDown();
            goOn.await();
        };
        JdbcSagas sagas = shelf.node(shelf.buying(Shelf.stock()));
        SagaHandle saga = Shelf.start(sagas, "k", 3, "buys");
        assertThat(reserved.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(Shelf.available(sagas)).isEqualTo(7);
        assertThat(shelf.qty()).isEqualTo("10");
        assertThat(shelf.recorded(saga.sagaId())).isEqualTo("HELD");

        goOn.countDown();
        assertThat(Shelf.end(saga)).isEqualTo(SagaState.COMPLETED);
        assertThat(Shelf.available(sagas)).isEqualTo(7);
        assertThat(shelf.qty()).isEqualTo("7");
        assertThat(shelf.recorded(saga.sagaId())).isEqualTo("SETTLED");
    }

    @Test
    void a_saga_that_turns_back_gives_back_before_and_at_the_pivot() {
        JdbcSagas sagas = shelf.node(shelf.buying(Shelf.stock()));
        for (String fate : new String[] {"declined", "refused"}) {
            SagaHandle saga = Shelf.start(sagas, fate, 10, fate);
            assertThat(Shelf.end(saga)).isEqualTo(SagaState.COMPENSATED);
            assertThat(shelf.recorded(saga.sagaId())).isEqualTo("RELEASED");
            assertThat(Shelf.available(sagas)).isEqualTo(10);
            assertThat(shelf.qty()).isEqualTo("10");
        }
    }

    @Test
    void what_is_not_there_is_not_given_and_all_that_is_there_is() {
        JdbcSagas sagas = shelf.node(shelf.buying(Shelf.stock()));
        assertThat(Shelf.end(Shelf.start(sagas, "seven", 7, "buys"))).isEqualTo(SagaState.COMPLETED);
        SagaHandle four = Shelf.start(sagas, "four", 4, "buys");
        assertThat(Shelf.end(four)).isEqualTo(SagaState.COMPENSATED);
        assertThat(Shelf.error(four)).contains("SAGA-410", "4 wanted and 3 available");
        assertThat(Shelf.end(Shelf.start(sagas, "three", 3, "buys"))).isEqualTo(SagaState.COMPLETED);
        assertThat(shelf.qty()).isEqualTo("0");
        assertThat(Sql.value(
                        shelf.dataSource,
                        Long.class,
                        "SELECT count(*) FROM holdfast.saga_log WHERE kind = 'STEP_FAILED'"))
                .isZero();
    }

    @Test
    void a_local_pivot_can_settle() {
        QuantityReservation<Buy> stock = Shelf.stock();
        JdbcSagas sagas = shelf.node(SagaDefinition.builder(Shelf.TYPE)
                .step(stock.reserve("reserve"))
                .pivot(stock.settle("settle"))
                .build());
        assertThat(Shelf.end(Shelf.start(sagas, "k", 4, "buys"))).isEqualTo(SagaState.COMPLETED);
        assertThat(shelf.qty()).isEqualTo("6");
    }

    @Test
    void what_was_needed_only_meanwhile_is_released_unused() {
        QuantityReservation<Buy> stock = Shelf.stock();
        JdbcSagas sagas = shelf.node(SagaDefinition.builder(Shelf.TYPE)
                .step(stock.reserve("reserve"))
                .pivot(STEPS.external("work", ctx -> {}))
                .then(stock.release("release"))
                .build());
        SagaHandle saga = Shelf.start(sagas, "k", 4, "buys");
        assertThat(Shelf.end(saga)).isEqualTo(SagaState.COMPLETED);
        assertThat(shelf.recorded(saga.sagaId())).isEqualTo("RELEASED");
        assertThat(Shelf.available(sagas)).isEqualTo(10);
        assertThat(shelf.qty()).isEqualTo("10");
    }

    @Test
    @DisplayName("B44: a reservation whose time is over frees its units by itself, and its pivot is not begun")
    void expiryByTime() {
        JdbcSagas sagas = shelf.node(shelf.buying(Shelf.stock()));
        shelf.meanwhile = ctx -> {
            if (ctx.data().fate().equals("late")) {
                shelf.letExpire();
                assertThat(Shelf.available(sagas)).isEqualTo(10); // nobody has swept
                SagaHandle other = Shelf.start(sagas, "other", 10, "buys");
                assertThat(Shelf.end(other)).isEqualTo(SagaState.COMPLETED);
            }
        };
        SagaHandle late = Shelf.start(sagas, "late", 10, "late");
        assertThat(Shelf.end(late)).isEqualTo(SagaState.COMPENSATED);
        assertThat(Shelf.error(late)).contains("SAGA-411", "is HELD, kept until");
        assertThat(shelf.qty()).isEqualTo("0");
        assertThat(Sql.value(
                        shelf.dataSource,
                        Long.class,
                        "SELECT count(*) FROM holdfast.saga_log WHERE kind = 'PIVOT_BEGUN' AND saga_id = ?",
                        late.sagaId()))
                .isZero();
        assertThat(shelf.rows(
                        "SELECT note FROM holdfast.saga_log WHERE kind = 'STEP_UNDONE' AND saga_id = ?", late.sagaId()))
                .singleElement()
                .satisfies(row -> assertThat((String) row.get("note")).contains("had expired"));
    }

    @Test
    void the_pivot_makes_it_firm_so_that_time_does_not_end_it_any_more() throws InterruptedException {
        CountDownLatch paying = new CountDownLatch(1);
        CountDownLatch paid = new CountDownLatch(1);
        QuantityReservation<Buy> stock = Shelf.stock().ttl(Duration.ofSeconds(60));
        JdbcSagas sagas = shelf.node(SagaDefinition.builder(Shelf.TYPE)
                .step(stock.reserve("reserve"))
                .pivot(STEPS.external("pay", ctx -> {
                    paying.countDown();
                    paid.await();
                }))
                .then(stock.settle("settle"))
                .build());
        SagaHandle saga = Shelf.start(sagas, "k", 10, "buys");
        assertThat(paying.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(shelf.recorded(saga.sagaId())).isEqualTo("FIRM");
        shelf.sql("UPDATE holdfast.saga_reservation SET expires_at = clock_timestamp() - interval '1 hour'");
        assertThat(Shelf.available(sagas)).isZero();
        assertThat(sagas.reaper().tick().expired()).isZero();
        paid.countDown();
        assertThat(Shelf.end(saga)).isEqualTo(SagaState.COMPLETED);
        assertThat(shelf.qty()).isEqualTo("0");
    }

    /** Without the row's lock the pivot would make firm what somebody has just counted as free. */
    @Test
    void a_pivot_waits_for_who_is_counting_and_begins_only_if_its_time_lasts() throws InterruptedException {
        CountDownLatch reserved = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        shelf.meanwhile = ctx -> {
            reserved.countDown();
            goOn.await();
        };
        JdbcSagas sagas = shelf.node(shelf.buying(Shelf.stock()));
        SagaHandle saga = Shelf.start(sagas, "k", 10, "buys");
        assertThat(reserved.await(30, TimeUnit.SECONDS)).isTrue();
        try (OpenTransaction counting = OpenTransaction.begin(shelf.dataSource)) {
            counting.value(Integer.class, "SELECT qty FROM stock WHERE sku = 'a' FOR NO KEY UPDATE");
            goOn.countDown();
            counting.awaitWaiters(1);
            shelf.letExpire(); // and so the other one finds ten free
            counting.commit();
        }
        assertThat(Shelf.end(saga)).isEqualTo(SagaState.COMPENSATED);
        assertThat(Shelf.error(saga)).contains("SAGA-411");
    }

    @Test
    void the_reaper_records_what_has_expired() {
        JdbcSagas sagas = shelf.node(shelf.buying(Shelf.stock()));
        shelf.meanwhile = ctx -> {
            assertThat(sagas.reaper().tick().expired()).isZero();
            shelf.letExpire();
            assertThat(shelf.rows("SELECT state FROM holdfast.saga_reservations"))
                    .containsExactly(Map.of("state", "EXPIRED"));
            assertThat(sagas.reaper().tick().expired()).isOne();
            assertThat(shelf.recorded(ctx.sagaId())).isEqualTo("EXPIRED");
        };
        SagaHandle saga = Shelf.start(sagas, "k", 1, "buys");
        assertThat(Shelf.end(saga)).isEqualTo(SagaState.COMPENSATED);
        assertThat(Shelf.error(saga)).contains("SAGA-411", "is EXPIRED");
        assertThat(Shelf.available(sagas)).isEqualTo(10);
    }

    @Test
    @DisplayName("B42: capacity that an administrator takes meanwhile is not given back by an undo")
    void anUndoRestoresNothing() {
        shelf.meanwhile = ctx -> {
            shelf.sql("UPDATE stock SET qty = qty - 2 WHERE sku = 'a'");
            throw new StepRejectedException("turns back");
        };
        JdbcSagas sagas = shelf.node(shelf.buying(Shelf.stock()));
        assertThat(Shelf.end(Shelf.start(sagas, "k", 3, "buys"))).isEqualTo(SagaState.COMPENSATED);
        assertThat(Shelf.available(sagas)).isEqualTo(8);
        assertThat(shelf.qty()).isEqualTo("8");
    }

    @Test
    void stock_that_was_cut_below_what_is_reserved_leaves_the_settlement_stuck() {
        shelf.meanwhile = ctx -> shelf.sql("UPDATE stock SET qty = 1 WHERE sku = 'a'");
        JdbcSagas sagas = shelf.node(shelf.buying(Shelf.stock()));
        SagaHandle saga = Shelf.start(sagas, "k", 3, "buys");
        assertThat(Shelf.end(saga)).isEqualTo(SagaState.STUCK);
        assertThat(Shelf.error(saga)).contains("SAGA-412", "23514");
        assertThat(Shelf.available(sagas)).isEqualTo(-2);
        assertThat(shelf.recorded(saga.sagaId())).isEqualTo("FIRM");
    }

    @Test
    @DisplayName("B31: a try that is held up until after its cancel reserves nothing")
    void aLateTry() throws InterruptedException {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        QuantityReservation<Buy> slow = STEPS.reservation(Shelf.STOCK, Buy::sku, buy -> {
            arrived.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return buy.quantity();
        });
        JdbcSagas sagas = shelf.node(shelf.buying(slow));
        SagaHandle saga = Shelf.start(sagas, "k", 3, "buys");
        assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(saga.cancel("too slow")).isEqualTo(Verdict.APPLIED);
        goOn.countDown();
        assertThat(Shelf.end(saga)).isEqualTo(SagaState.COMPENSATED);
        assertThat(shelf.rows("SELECT 1 FROM holdfast.saga_reservation")).isEmpty();
        assertThat(Shelf.available(sagas)).isEqualTo(10);
    }

    @Test
    @DisplayName("B31, B33: a try that finds its own cancel is refused, and never counts as done")
    void aTryThatFindsItsCancel() {
        JdbcSagas sagas = shelf.node(shelf.buying(Shelf.stock()));
        UUID saga = sagas.handle(Shelf.TYPE, "k").sagaId();
        shelf.sql("""
                CREATE FUNCTION cancelled() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                INSERT INTO holdfast.saga_reservation SELECT NEW.saga_id, NEW.incarnation, 'reserve', '"public"."stock"', 'a', 3,
                    false, 'RELEASED', now(), now(), now();
                RETURN NEW; END $$;
                CREATE TRIGGER cancelled AFTER INSERT ON holdfast.saga FOR EACH ROW EXECUTE FUNCTION cancelled();
                """);
        SagaHandle late = Shelf.start(sagas, "k", 3, "buys");
        assertThat(late.sagaId()).isEqualTo(saga);
        assertThat(Shelf.end(late)).isEqualTo(SagaState.COMPENSATED);
        assertThat(Shelf.error(late)).contains("SAGA-411", "too late", "is RELEASED");
        assertThat(shelf.qty()).isEqualTo("10");
    }

    @Test
    @DisplayName("B32: a saga whose reservation failed gives nothing back")
    void anEmptyCancel() {
        JdbcSagas sagas = shelf.node(shelf.buying(Shelf.stock()));
        SagaHandle saga = Shelf.start(sagas, "k", 11, "buys");
        assertThat(Shelf.end(saga)).isEqualTo(SagaState.COMPENSATED);
        assertThat(Sql.value(
                        shelf.dataSource,
                        Long.class,
                        "SELECT count(*) FROM holdfast.saga_log WHERE kind = 'STEP_UNDONE'"))
                .isZero();
        assertThat(Shelf.available(sagas)).isEqualTo(10);
        assertThat(shelf.qty()).isEqualTo("10");
    }

    @Test
    void a_saga_of_the_same_id_after_a_purge_reserves_anew() {
        JdbcSagas sagas = shelf.node(shelf.buying(Shelf.stock()));
        assertThat(Shelf.end(Shelf.start(sagas, "k", 3, "buys"))).isEqualTo(SagaState.COMPLETED);
        shelf.sql("DELETE FROM holdfast.saga; DELETE FROM holdfast.saga_log");
        assertThat(Shelf.end(Shelf.start(sagas, "k", 3, "buys"))).isEqualTo(SagaState.COMPLETED);
        assertThat(shelf.qty()).isEqualTo("4");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    @DisplayName("B09: whichever COMMIT loses its answer, units are reserved and settled once")
    void aLostAnswer(int commit) {
        try (TcpProxy network = TcpProxy.to(shelf.database)) {
            JdbcSagas sagas = shelf.node(shelf.database.via(network).pool(8), shelf.buying(Shelf.stock()));
            StatementCut cut = network.cutAfterCommitIsForwarded(Math.min(commit, 3));
            SagaHandle saga = Shelf.start(sagas, "k", 3, commit > 3 ? "refused" : "buys");
            SagaState expected = commit > 3 ? SagaState.COMPENSATED : SagaState.COMPLETED;
            assertThat(Shelf.end(saga)).isEqualTo(expected);
            cut.awaitHappened();
        }
        assertThat(shelf.qty()).isEqualTo(commit > 3 ? "10" : "7");
        assertThat(shelf.rows("SELECT state FROM holdfast.saga_reservation")).hasSize(1);
    }
}
