package io.holdfast.saga.examples.tutorial;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.StepContext;
import io.holdfast.saga.StepRejectedException;
import io.holdfast.saga.jdbc.BusinessTable;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.JdbcSteps;
import io.holdfast.saga.jdbc.LocalContext;
import io.holdfast.saga.jdbc.Schema;
import java.time.Duration;

/** The tutorial's program. Arguments: a JDBC URL, the number of an order. */
public final class Tutorial {
    record Shipment(long orderId) {}

    static final SagaType<Shipment> SHIP = SagaType.of("ship-order", 1, Shipment.class);

    private Tutorial() {}

    static SagaDefinition<Shipment> definition() {
        var steps = JdbcSteps.of(Shipment.class);
        var order = steps.lock(BusinessTable.of("public", "orders"), Shipment::orderId)
                .from("NEW")
                .pending("PENDING");
        var pack = steps.local("pack", ctx -> addBoxes(ctx, 1)).compensatedBy((ctx, none) -> addBoxes(ctx, -1));
        return SagaDefinition.builder(SHIP)
                .step(order.claim("claim"))
                .step(pack)
                .pivot(steps.external("hand-over", Tutorial::callTheCarrier))
                .then(order.release("ship", "SHIPPED"))
                .build();
    }

    static void addBoxes(LocalContext<Shipment> ctx, int number) {
        ctx.dsl()
                .execute(
                        "update orders set boxes = boxes + ? where id = ?",
                        number,
                        ctx.data().orderId());
    }

    /** Stands for a call to elsewhere that takes its time. */
    static void callTheCarrier(StepContext<Shipment> ctx) throws InterruptedException {
        System.out.println("calling the carrier, key " + ctx.idempotencyKey());
        if (ctx.data().orderId() == 2) {
            throw new StepRejectedException("the carrier does not know the address");
        }
        Thread.sleep(10_000);
        System.out.println("the carrier has it");
    }

    /** Ships one order. */
    public static void main(String[] args) {
        var shipment = new Shipment(Long.parseLong(args[1]));
        try (var pool = pool(args[0]);
                var sagas = open(pool)) {
            var saga = sagas.start(SHIP, "order-" + shipment.orderId(), shipment);
            var outcome = saga.await(Duration.ofMinutes(1)).orElseThrow();
            sagas.audit()
                    .timeline(saga.sagaId())
                    .forEach(e -> System.out.println(
                            e.seq() + " " + e.kind() + " " + e.step().orElse("") + " " + e.node()));
            System.out.println(outcome.state());
        }
    }

    private static HikariDataSource pool(String url) {
        var pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(20);
        return pool;
    }

    private static JdbcSagas open(HikariDataSource pool) {
        Schema.migrate(pool, Schema.DEFAULT_NAME);
        return JdbcSagas.builder(pool)
                .register(definition())
                .lease(Duration.ofSeconds(3))
                .build();
    }
}
