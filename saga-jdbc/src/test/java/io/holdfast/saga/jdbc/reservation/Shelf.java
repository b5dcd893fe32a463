package io.holdfast.saga.jdbc.reservation;

import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.StepAction;
import io.holdfast.saga.StepContext;
import io.holdfast.saga.StepRejectedException;
import io.holdfast.saga.jdbc.BusinessTable;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.JdbcSteps;
import io.holdfast.saga.jdbc.Schema;
import io.holdfast.saga.jdbc.testing.Fixtures;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;

/** Stock that sagas buy from, and the engines they run on. */
final class Shelf implements AutoCloseable {
    /** The data. */
    record Buy(String sku, long quantity, String fate) {
        static Buy one(String sku) {
            return new Buy(sku, 1, "buys");
        }

        Buy but(String other) {
            return new Buy(sku, quantity, other);
        }
    }

    static final Duration SOON = Duration.ofSeconds(60);
    static final SagaType<Buy> TYPE = SagaType.of("buy", 1, Buy.class);
    static final JdbcSteps<Buy> STEPS = JdbcSteps.of(Buy.class);
    static final BusinessTable STOCK = BusinessTable.of("stock").idColumn("sku");

    final TestDatabase database;
    final DataSource dataSource;
    private final List<AutoCloseable> opened = new ArrayList<>();

    /** Between reserving and the pivot. */
    volatile StepAction<StepContext<Buy>> meanwhile = Shelf::asTheDataSays;

    Shelf(TestDatabase database) {
        this.database = database;
        this.dataSource = database.dataSource();
        Schema.migrate(dataSource, Schema.DEFAULT_NAME);
        Fixtures.install(dataSource, Fixtures.STOCK);
    }

    static void asTheDataSays(StepContext<Buy> ctx) {
        if (ctx.data().fate().equals("declined")) {
            throw new StepRejectedException("declined");
        }
    }

    static QuantityReservation<Buy> stock() {
        return STEPS.reservation(STOCK, Buy::sku, Buy::quantity);
    }

    /** Reserve, something else, an external pivot, settle. */
    SagaDefinition<Buy> buying(Reservation<Buy> reservation) {
        return SagaDefinition.builder(TYPE)
                .step(reservation.reserve("reserve"))
                .step(STEPS.external("meanwhile", ctx -> meanwhile.run(ctx))
                        .retry(RetryPolicy.none())
                        .noCompensation("waits only"))
                .pivot(STEPS.external("pay", ctx -> {
                            if (ctx.data().fate().equals("refused")) {
                                throw new StepRejectedException("the pivot is refused");
                            }
                        })
                        .retry(RetryPolicy.none()))
                .then(reservation.settle("settle"))
                .build();
    }

    JdbcSagas node(SagaDefinition<Buy> definition) {
        return node(database.pool(12), definition);
    }

    JdbcSagas node(DataSource pool, SagaDefinition<Buy> definition) {
        JdbcSagas sagas = JdbcSagas.builder(pool)
                .register(definition)
                .capacity(8)
                .reapEvery(Duration.ofMinutes(10))
                .closeGrace(Duration.ofSeconds(2))
                .build();
        opened.add(sagas);
        return sagas;
    }

    static SagaHandle start(JdbcSagas sagas, String key, long quantity, String fate) {
        return sagas.start(TYPE, key, new Buy("a", quantity, fate));
    }

    /** What is left of stock {@code a} to be reserved. */
    static long available(JdbcSagas sagas) {
        return sagas.reservations().available(STOCK, "qty", "a").orElseThrow();
    }

    static SagaState end(SagaHandle saga) {
        return saga.await(SOON).orElseThrow().state();
    }

    static String error(SagaHandle saga) {
        return saga.snapshot().orElseThrow().lastError().orElseThrow();
    }

    String qty() {
        return Sql.value(dataSource, String.class, "SELECT qty::text FROM stock WHERE sku = 'a'");
    }

    void sql(String sql, Object... parameters) {
        Sql.execute(dataSource, sql, parameters);
    }

    /** As recorded, not as time says. */
    String recorded(UUID saga) {
        return Sql.value(
                dataSource, String.class, "SELECT state FROM holdfast.saga_reservation WHERE saga_id = ?", saga);
    }

    List<Map<String, Object>> rows(String sql, Object... parameters) {
        return Sql.rows(dataSource, sql, parameters);
    }

    /** As if the time of all that is held were over. */
    void letExpire() {
        sql("UPDATE holdfast.saga_reservation SET expires_at = clock_timestamp() WHERE state = 'HELD'");
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }
}
