package io.holdfast.saga.examples.gallery;

import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.JdbcSteps;
import java.util.concurrent.CompletableFuture;

/** A worker freezes, another one takes its work over, and the first one wakes up in the middle of it. */
final class ZombieWrite implements Anomaly {
    record Item(String sku) {}

    private static final SagaType<Item> TYPE = SagaType.of("take", 1, Item.class);
    private static final JdbcSteps<Item> STEPS = JdbcSteps.of(Item.class);
    private static final String TAKE = "UPDATE stock SET qty = qty - 1 WHERE sku = 'a'";

    @Override
    public String title() {
        return "zombie write";
    }

    @Override
    public String tool() {
        return "local steps, fenced by run_seq";
    }

    private static void tables(Stage stage) {
        stage.sql("CREATE TABLE stock (sku text PRIMARY KEY, qty int NOT NULL)");
        stage.sql("INSERT INTO stock VALUES ('a', 10)");
    }

    private static Outcome outcome(Stage stage) {
        String left = stage.text("SELECT qty FROM stock WHERE sku = 'a'");
        return new Outcome(!left.equals("9"), "one of ten was taken, " + left + " are left");
    }

    /** A job with a lock that runs out: who holds it does the work. */
    @Override
    public Outcome naive(Stage stage) throws Exception {
        tables(stage);
        stage.sql("CREATE TABLE job (id int PRIMARY KEY, worker text, locked_until timestamptz, done boolean)");
        stage.sql("INSERT INTO job VALUES (1, 'A', clock_timestamp() + interval '1 minute', false)");
        Cue frozen = new Cue();
        Cue thawed = new Cue();
        CompletableFuture<Void> a = CompletableFuture.runAsync(() -> {
            boolean mine = stage.text("SELECT worker = 'A' AND locked_until > clock_timestamp() FROM job")
                    .equals("true");
            frozen.give();
            unchecked(thawed);
            if (mine) {
                stage.sql(TAKE);
            }
        });
        frozen.await();
        stage.sql("UPDATE job SET locked_until = clock_timestamp()");
        stage.sql("UPDATE job SET worker = 'B' WHERE locked_until < clock_timestamp() AND NOT done");
        stage.sql(TAKE);
        stage.sql("UPDATE job SET done = true");
        thawed.give();
        a.join();
        return outcome(stage);
    }

    private static void unchecked(Cue cue) {
        try {
            cue.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Outcome guarded(Stage stage) throws Exception {
        tables(stage);
        Cue frozen = new Cue();
        Cue thawed = new Cue();
        Cue woke = new Cue();
        JdbcSagas a = stage.node(SagaDefinition.builder(TYPE)
                .step(STEPS.local("take", ctx -> {
                            frozen.give();
                            thawed.await();
                            ctx.dsl().execute(TAKE);
                            woke.give();
                        })
                        .noCompensation("counted at the end"))
                .build());
        JdbcSagas b = stage.node(SagaDefinition.builder(TYPE)
                .step(STEPS.local("take", ctx -> ctx.dsl().execute(TAKE)).noCompensation("counted at the end"))
                .build());
        SagaHandle saga = a.start(TYPE, "1", new Item("a"));
        frozen.await();
        stage.sql("UPDATE holdfast.saga SET due_at = clock_timestamp()"); // as if the lease had run out
        b.reaper().tick();
        Stage.end(b.handle(saga.sagaId()));
        thawed.give();
        woke.await();
        a.close(); // its step has ended by then, one way or the other
        return outcome(stage);
    }
}
