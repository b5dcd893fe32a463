package io.holdfast.saga.examples.gallery;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.RetriableStep;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.StepRejectedException;
import io.holdfast.saga.jdbc.BusinessTable;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.JdbcSteps;
import io.holdfast.saga.jdbc.reservation.QuantityReservation;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

/** Two want the last one, and both look before either takes. */
final class Oversell implements Anomaly {
    record Buy(String customer) {}

    private static final SagaType<Buy> TYPE = SagaType.of("buy", 1, Buy.class);
    private static final JdbcSteps<Buy> STEPS = JdbcSteps.of(Buy.class);

    @Override
    public String title() {
        return "oversell";
    }

    @Override
    public String tool() {
        return "reservation";
    }

    private static Outcome play(Stage stage, CompensatableStep<Buy> take, RetriableStep<Buy> settle) {
        stage.sql("CREATE TABLE stock (sku text PRIMARY KEY, qty int NOT NULL)");
        stage.sql("INSERT INTO stock VALUES ('a', 1)");
        stage.sql("CREATE TABLE sold (customer text NOT NULL)");
        JdbcSagas node = stage.node(SagaDefinition.builder(TYPE)
                .step(take)
                .pivot(STEPS.local(
                        "sell",
                        ctx -> ctx.dsl()
                                .execute(
                                        "INSERT INTO sold VALUES (?)",
                                        ctx.data().customer())))
                .then(settle)
                .build());
        SagaHandle ann = node.start(TYPE, "ann", new Buy("ann"));
        SagaHandle bob = node.start(TYPE, "bob", new Buy("bob"));
        String states = Stage.end(ann) + " and " + Stage.end(bob);
        String sold = stage.text("SELECT count(*) FROM sold");
        return new Outcome(!sold.equals("1"), states + ", " + sold + " sold of 1");
    }

    @Override
    public Outcome naive(Stage stage) {
        CyclicBarrier bothHaveLooked = new CyclicBarrier(2);
        return play(
                stage,
                STEPS.local("look", ctx -> {
                            int left = ctx.dsl()
                                    .fetchSingle("SELECT qty - (SELECT count(*) FROM sold) FROM stock WHERE sku = 'a'")
                                    .get(0, Integer.class);
                            bothHaveLooked.await(20, TimeUnit.SECONDS);
                            if (left < 1) {
                                throw new StepRejectedException("sold out");
                            }
                        })
                        .noCompensation("only looks"),
                STEPS.local("thank", ctx -> {}));
    }

    @Override
    public Outcome guarded(Stage stage) {
        QuantityReservation<Buy> stock =
                STEPS.reservation(BusinessTable.of("stock").idColumn("sku"), buy -> "a", buy -> 1);
        return play(stage, stock.reserve("reserve"), stock.settle("settle"));
    }
}
