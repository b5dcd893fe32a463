package io.holdfast.saga.examples.gallery;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.RetriableStep;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.StepRejectedException;
import io.holdfast.saga.jdbc.BusinessTable;
import io.holdfast.saga.jdbc.JdbcSteps;
import io.holdfast.saga.jdbc.lock.SemanticLock;
import org.jooq.Condition;
import org.jooq.impl.DSL;

/** A report counts an order that a saga undoes a moment later. */
final class DirtyRead implements Anomaly {
    record Order(long id) {}

    private static final SagaType<Order> TYPE = SagaType.of("sell", 1, Order.class);
    private static final JdbcSteps<Order> STEPS = JdbcSteps.of(Order.class);

    @Override
    public String title() {
        return "dirty read";
    }

    @Override
    public String tool() {
        return "semantic lock and settled()";
    }

    private static Outcome play(
            Stage stage, CompensatableStep<Order> begin, RetriableStep<Order> end, Condition readable)
            throws InterruptedException {
        stage.sql("CREATE TABLE orders (id bigint PRIMARY KEY, status text, saga_id uuid, locked_until timestamptz)");
        stage.sql("INSERT INTO orders VALUES (1, 'NEW')");
        Cue working = new Cue();
        Cue counted = new Cue();
        SagaHandle saga = stage.node(SagaDefinition.builder(TYPE)
                        .step(begin)
                        .step(STEPS.external("work", ctx -> {
                                    working.give();
                                    counted.await();
                                    throw new StepRejectedException("card declined");
                                })
                                .noCompensation("declined"))
                        .pivot(end)
                        .build())
                .start(TYPE, "1", new Order(1));
        working.await();
        int sold = sold(stage, readable);
        counted.give();
        var state = Stage.end(saga);
        int soldInTheEnd = sold(stage, readable);
        return new Outcome(
                sold != soldInTheEnd,
                state + ", the report said " + sold + " sold, and in the end it is " + soldInTheEnd);
    }

    private static int sold(Stage stage, Condition readable) {
        return stage.dsl()
                .fetchCount(
                        DSL.table(DSL.name("public", "orders")),
                        DSL.condition("status <> 'NEW'").and(readable));
    }

    @Override
    public Outcome naive(Stage stage) throws Exception {
        return play(
                stage,
                STEPS.local("sell", ctx -> ctx.dsl().execute("UPDATE orders SET status = 'SOLD' WHERE id = 1"))
                        .compensatedBy(
                                (ctx, none) -> ctx.dsl().execute("UPDATE orders SET status = 'NEW' WHERE id = 1")),
                STEPS.local("finish", ctx -> {}),
                DSL.noCondition());
    }

    @Override
    public Outcome guarded(Stage stage) throws Exception {
        SemanticLock<Order> lock =
                STEPS.lock(BusinessTable.of("orders"), Order::id).from("NEW");
        return play(stage, lock.claim("sell"), lock.release("finish", "SOLD"), lock.settled());
    }
}
