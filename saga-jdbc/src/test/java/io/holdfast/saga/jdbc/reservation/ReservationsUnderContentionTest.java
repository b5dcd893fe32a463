package io.holdfast.saga.jdbc.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.reservation.Shelf.Buy;
import io.holdfast.saga.jdbc.testing.ChildJvm;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Never oversold, never both settled and expired, and nothing lost: with 32 threads, kills, compensations and forgotten reservations. */
@PostgresTest
class ReservationsUnderContentionTest {
    /** By a clock that is read after the statement's snapshot was taken: what it counts as live, everybody else does. */
    private static final String BALANCE = """
            SELECT s.qty AS left, coalesce(sum(r.quantity) FILTER (WHERE r.state = 'SETTLED'), 0) AS settled,
                   coalesce(sum(r.quantity) FILTER (
                       WHERE r.state = 'FIRM' OR r.state = 'HELD' AND r.expires_at > clock_timestamp()), 0) AS live
            FROM stock s LEFT JOIN holdfast.saga_reservation r ON r.resource_id = s.sku
            WHERE s.sku = 'a' GROUP BY s.qty""";

    private static final String UNFINISHED = "SELECT count(*) FROM holdfast.saga WHERE due_at IS NOT NULL";
    private static final int ROUNDS = 500;
    private static final SagaType<Buy> IN_TIME = SagaType.of("in-time", 1, Buy.class);
    private static final SagaType<Buy> SECOND = SagaType.of("second", 1, Buy.class);

    private final Shelf shelf;
    private final AtomicInteger leadMillis = new AtomicInteger(60);
    private final ExecutorService threads = Executors.newFixedThreadPool(33);

    ReservationsUnderContentionTest(TestDatabase database) {
        this.shelf = new Shelf(database);
    }

    @AfterEach
    void close() throws Exception {
        threads.shutdownNow();
        shelf.close();
    }

    private JdbcSagas node(SagaDefinition<?>... definitions) {
        JdbcSagas.Builder node = JdbcSagas.builder(shelf.database.pool(40));
        for (SagaDefinition<?> definition : definitions) {
            node.register(definition);
        }
        return node.capacity(32).reapEvery(Duration.ofMillis(200)).build();
    }

    private long number(String sql) {
        return Sql.value(shelf.dataSource, Long.class, sql);
    }

    private Map<String, Object> balance() {
        return shelf.rows(BALANCE).get(0);
    }

    private static long of(Map<String, Object> balance, String what) {
        return ((Number) balance.get(what)).longValue();
    }

    private <T> List<Future<T>> all(int number, Callable<T> work) {
        List<Future<T>> all = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            all.add(threads.submit(work));
        }
        return all;
    }

    @ParameterizedTest
    @CsvSource({"1,80,1", "7,120,3", "1000,240,12"})
    void what_is_settled_and_live_is_never_more_than_there_was(long capacity, int purchases, int mostUnits)
            throws Exception {
        shelf.sql("UPDATE stock SET qty = ? WHERE sku = 'a'", capacity);
        AtomicBoolean over = new AtomicBoolean();
        Future<Integer> checks = threads.submit(() -> check(capacity, over));
        try (JdbcSagas sagas = node(Rush.definition(shelf.dataSource));
                ChildJvm doomed = ChildJvm.start(
                        Rush.class, shelf.database.url(), String.valueOf(purchases), String.valueOf(mostUnits))) {
            doomed.awaitLine(line -> line.startsWith("ended"), Duration.ofSeconds(30));
            RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
            for (int i = 0; i < purchases; i += 2) {
                String key = "here-" + i;
                String other = "here-" + (i + 1);
                Buy buy = Rush.buy(random, mostUnits);
                threads.execute(() -> sagas.run(Shelf.TYPE, key, buy, Shelf.SOON));
                threads.execute(() -> sagas.run(Shelf.TYPE, other, buy, Shelf.SOON));
            }
            doomed.awaitLine(line -> line.startsWith("ended doomed-2"), Duration.ofSeconds(30));
            doomed.kill9();
            await().atMost(Duration.ofSeconds(60))
                    .until(() ->
                            number("SELECT count(*) FROM holdfast.saga WHERE business_key LIKE 'here%'") == purchases
                                    && number(UNFINISHED) == 0);
            over.set(true);
            assertThat(checks.get()).isGreaterThan(20);
            assertNothingIsLost(sagas, capacity);
        }
    }

    /** As often as it can, until told that it is over. */
    private int check(long capacity, AtomicBoolean over) {
        int checks = 0;
        while (!over.get()) {
            Map<String, Object> now = balance();
            assertThat(of(now, "settled") + of(now, "live")).as("%s", now).isLessThanOrEqualTo(capacity);
            assertThat(of(now, "settled") + of(now, "left")).as("%s", now).isEqualTo(capacity);
            checks++;
        }
        return checks;
    }

    private void assertNothingIsLost(JdbcSagas sagas, long capacity) {
        assertThat(number("SELECT count(*) FROM holdfast.saga WHERE state NOT IN ('COMPLETED', 'COMPENSATED')"))
                .isZero();
        assertThat(number("SELECT count(*) FROM holdfast.saga_log WHERE kind = 'TAKEN_OVER'"))
                .isPositive();
        Map<String, Object> end = balance();
        assertThat(of(end, "live")).isZero();
        assertThat(of(end, "settled") + of(end, "left")).isEqualTo(capacity);
        long left = of(end, "left");
        if (left > 0) {
            assertThat(sagas.run(Shelf.TYPE, "the rest", new Buy("a", left, "buys"), Shelf.SOON)
                            .orElseThrow()
                            .state())
                    .isEqualTo(SagaState.COMPLETED);
        }
        assertThat(shelf.qty()).isEqualTo("0");
        assertThat(sagas.run(Shelf.TYPE, "one more", Buy.one("a"), Shelf.SOON)
                        .orElseThrow()
                        .state())
                .isEqualTo(SagaState.COMPENSATED);
    }

    @Test
    @DisplayName("B44: 500 rounds of settling against expiring: always exactly one of them")
    void settlingAgainstExpiring() throws Exception {
        shelf.sql("INSERT INTO stock (sku, qty) SELECT 'r' || n, 1 FROM generate_series(1, ?) n", ROUNDS);
        SagaDefinition<Buy> first = settlingAtTheEnd(Shelf.TYPE, Duration.ofMillis(200));
        SagaDefinition<Buy> inTime = settlingAtTheEnd(IN_TIME, Duration.ofSeconds(3));
        QuantityReservation<Buy> safely = Shelf.stock();
        SagaDefinition<Buy> second = SagaDefinition.builder(SECOND)
                .step(safely.reserve("reserve"))
                .pivot(safely.settle("settle"))
                .build();
        ExecutorService buyers = Executors.newFixedThreadPool(12); // more would only make all of them late
        try (JdbcSagas sagas = node(first, inTime, second)) {
            List<Future<Boolean>> rounds = new ArrayList<>();
            for (int round = 1; round <= ROUNDS; round++) {
                String sku = "r" + round;
                boolean surely = round % 40 == 0;
                rounds.add(buyers.submit(() -> surely
                        ? firstKeepsIt(sagas, IN_TIME, sku, -2.9)
                        : firstKeepsIt(sagas, Shelf.TYPE, sku, aroundTheEnd())));
            }
            int kept = 0;
            for (Future<Boolean> round : rounds) {
                kept += round.get() ? 1 : 0;
            }
            System.out.println("of " + ROUNDS + " rounds the first buyer settled in " + kept);
            assertThat(kept).as("rounds in which the first buyer settled").isBetween(1, ROUNDS - 1);
        } finally {
            buyers.shutdownNow();
        }
        assertThat(number("SELECT count(*) FROM stock WHERE sku LIKE 'r%' AND qty = 0"))
                .isEqualTo(ROUNDS);
        assertThat(number("SELECT count(*) FROM holdfast.saga_reservation WHERE state = 'SETTLED'"))
                .isEqualTo(ROUNDS);
        assertThat(number("SELECT count(DISTINCT resource_id) FROM holdfast.saga_reservation WHERE state = 'SETTLED'"))
                .isEqualTo(ROUNDS);
    }

    /** Reserves, and settles so many seconds after the end of its time, or before. */
    private SagaDefinition<Buy> settlingAtTheEnd(SagaType<Buy> type, Duration ttl) {
        QuantityReservation<Buy> stock = Shelf.stock().ttl(ttl);
        return SagaDefinition.builder(type)
                .step(stock.reserve("reserve"))
                .step(Shelf.STEPS
                        .external("wait", ctx -> {
                            double offset = Double.parseDouble(ctx.data().fate());
                            Rush.awaitExpiry(shelf.dataSource, ctx.sagaId().toString(), offset);
                        })
                        .noCompensation("waits only"))
                .pivot(stock.settle("settle"))
                .build();
    }

    /** However slow the machine is: earlier when the last one was too late, later when it was in time. */
    private double aroundTheEnd() {
        return RandomGenerator.of("L64X128MixRandom").nextDouble(-0.015, 0.015) - leadMillis.get() / 1_000.0;
    }

    /** The first reserves and settles around the end of its time, the second tries from there on. Whether the first has it. */
    private boolean firstKeepsIt(JdbcSagas sagas, SagaType<Buy> type, String sku, double offset) {
        RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
        var first = sagas.start(type, sku, new Buy(sku, 1, String.valueOf(offset)));
        await().pollInterval(Duration.ofMillis(2))
                .atMost(Duration.ofSeconds(30))
                .until(() ->
                        number("SELECT count(*) FROM holdfast.saga_reservation WHERE resource_id = '" + sku + "'") > 0);
        Rush.awaitExpiry(shelf.dataSource, first.sagaId().toString(), random.nextDouble(-0.005, 0.01));
        for (int tries = 1; ; tries++) {
            SagaState firstBefore = first.snapshot().orElseThrow().state();
            SagaState second = sagas.run(SECOND, sku + " " + tries, Buy.one(sku), Shelf.SOON)
                    .orElseThrow()
                    .state();
            if (second == SagaState.COMPLETED) {
                assertThat(Shelf.end(first)).as(sku).isEqualTo(SagaState.COMPENSATED);
                leadMillis.updateAndGet(lead -> Math.min(lead + 3, 190));
                return false;
            }
            if (firstBefore == SagaState.COMPLETED) {
                leadMillis.updateAndGet(lead -> Math.max(lead - 3, 0));
                return true;
            }
            assertThat(firstBefore)
                    .as("the second got nothing of %s, try %s", sku, tries)
                    .isEqualTo(SagaState.RUNNING);
        }
    }

    @Test
    void of_many_who_want_a_seat_whose_holder_is_late_one_gets_it() throws Exception {
        Reservation<Buy> seat = Shelf.STEPS.exclusive("seat", Buy::sku);
        try (JdbcSagas sagas = node(shelf.buying(seat))) {
            shelf.meanwhile = ctx -> {
                if (ctx.data().fate().equals("late")) {
                    shelf.letExpire();
                    List<Future<SagaState>> all = all(
                            32,
                            () -> sagas.run(Shelf.TYPE, Thread.currentThread().getName(), Buy.one("12a"), Shelf.SOON)
                                    .orElseThrow()
                                    .state());
                    List<SagaState> ends = new ArrayList<>();
                    for (Future<SagaState> one : all) {
                        ends.add(one.get());
                    }
                    assertThat(ends).filteredOn(SagaState.COMPLETED::equals).hasSize(1);
                    assertThat(ends).filteredOn(SagaState.COMPENSATED::equals).hasSize(31);
                }
            };
            SagaState late = Shelf.end(sagas.start(Shelf.TYPE, "late", new Buy("12a", 1, "late")));
            assertThat(late).isEqualTo(SagaState.COMPENSATED);
        }
        assertThat(shelf.rows("SELECT state, count(*) AS n FROM holdfast.saga_reservation GROUP BY 1 ORDER BY 1"))
                .containsExactly(Map.of("state", "EXPIRED", "n", 1L), Map.of("state", "SETTLED", "n", 1L));
    }
}
