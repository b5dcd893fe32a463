package io.holdfast.saga.examples.gallery;

import io.holdfast.saga.RetriableStep;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.StepRejectedException;
import io.holdfast.saga.jdbc.JdbcSteps;

/** The customer is told something that is undone later. */
final class VisibleCompensation implements Anomaly {
    record Order(long id) {}

    private static final SagaType<Order> TYPE = SagaType.of("sell", 1, Order.class);
    private static final JdbcSteps<Order> STEPS = JdbcSteps.of(Order.class);

    @Override
    public String title() {
        return "visible compensation";
    }

    @Override
    public String tool() {
        return "names, and telling after the pivot";
    }

    private static void tables(Stage stage) {
        stage.sql("CREATE TABLE mail (said text NOT NULL)");
    }

    private static RetriableStep<Order> tell(String what) {
        return STEPS.local("tell", ctx -> ctx.dsl().execute("INSERT INTO mail VALUES (?)", what));
    }

    private static RetriableStep<Order> declined() {
        return STEPS.external("capture", ctx -> {
            throw new StepRejectedException("card declined");
        });
    }

    @Override
    public Outcome naive(Stage stage) {
        tables(stage);
        return outcome(
                stage,
                SagaDefinition.builder(TYPE)
                        .step(STEPS.local(
                                        "charge",
                                        ctx -> ctx.dsl().execute("INSERT INTO mail VALUES ('you have been charged')"))
                                .compensatedBy((ctx, none) ->
                                        ctx.dsl().execute("INSERT INTO mail VALUES ('you have not been charged')")))
                        .pivot(declined())
                        .build());
    }

    @Override
    public Outcome guarded(Stage stage) {
        tables(stage);
        return outcome(
                stage,
                SagaDefinition.builder(TYPE)
                        .step(STEPS.local(
                                        "authorize",
                                        ctx -> ctx.dsl().execute("INSERT INTO mail VALUES ('we check your order')"))
                                .noCompensation("what it said stays true"))
                        .pivot(declined())
                        .then(tell("you have been charged"))
                        .build());
    }

    private static Outcome outcome(Stage stage, SagaDefinition<Order> definition) {
        var end = Stage.end(stage.node(definition).start(TYPE, "1", new Order(1)));
        String said = stage.text("SELECT string_agg(said, ', then: ') FROM mail");
        return new Outcome(said.contains("you have been charged"), end + ", the customer read: " + said);
    }
}
