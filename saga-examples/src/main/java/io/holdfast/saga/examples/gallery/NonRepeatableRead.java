package io.holdfast.saga.examples.gallery;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.RetriableStep;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.StepFunction;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.jdbc.JdbcSteps;
import io.holdfast.saga.jdbc.LocalContext;

/** The order is changed between the authorization and the capture. */
final class NonRepeatableRead implements Anomaly {
    record Order(long id) {}

    record Read(int total) {}

    private static final SagaType<Order> TYPE = SagaType.of("capture", 1, Order.class);
    private static final JdbcSteps<Order> STEPS = JdbcSteps.of(Order.class);
    private static final StepKey<Read> TOTAL = StepKey.of("read-total", Read.class);

    /** What is played once: the saga has read, and waits for somebody else's change. */
    private record Play(Stage stage, Cue hasRead, Cue changed) {
        CompensatableStep<Order> authorize() {
            return STEPS.external("authorize", ctx -> {
                        hasRead.give();
                        changed.await();
                    })
                    .noCompensation("an authorization lapses");
        }

        RetriableStep<Order> capture() {
            return STEPS.external(
                    "capture",
                    ctx -> stage.sql(
                            "INSERT INTO capture VALUES (" + ctx.result(TOTAL).total() + ")"));
        }

        Outcome run(SagaDefinition<Order> definition) throws InterruptedException {
            SagaHandle saga = stage.node(definition).start(TYPE, "1", new Order(1));
            hasRead.await();
            stage.sql("UPDATE orders SET total = 25 WHERE id = 1");
            changed.give();
            var end = Stage.end(saga);
            String captured = stage.text("SELECT coalesce(sum(total), 0) FROM capture");
            String ordered = stage.text("SELECT total FROM orders WHERE id = 1");
            boolean harmed = !captured.equals("0") && !captured.equals(ordered);
            return new Outcome(harmed, end + ", captured " + captured + " for an order of " + ordered);
        }
    }

    private static Play play(Stage stage) {
        stage.sql("CREATE TABLE orders (id bigint PRIMARY KEY, total int NOT NULL)");
        stage.sql("INSERT INTO orders VALUES (1, 10)");
        stage.sql("CREATE TABLE capture (total int NOT NULL)");
        return new Play(stage, new Cue(), new Cue());
    }

    private static StepFunction<LocalContext<Order>, Read> reader() {
        return ctx -> new Read(ctx.dsl()
                .fetchSingle("SELECT total FROM orders WHERE id = ?", ctx.data().id())
                .get(0, Integer.class));
    }

    @Override
    public String title() {
        return "non-repeatable read";
    }

    @Override
    public String tool() {
        return "re-validation";
    }

    @Override
    public Outcome naive(Stage stage) throws Exception {
        Play play = play(stage);
        return play.run(SagaDefinition.builder(TYPE)
                .step(STEPS.local(TOTAL, reader()).noCompensation("reads"))
                .step(play.authorize())
                .pivot(play.capture())
                .build());
    }

    @Override
    public Outcome guarded(Stage stage) throws Exception {
        Play play = play(stage);
        return play.run(SagaDefinition.builder(TYPE)
                .step(STEPS.read(TOTAL, reader()))
                .step(play.authorize())
                .pivot(play.capture())
                .revalidating(TOTAL)
                .build());
    }
}
