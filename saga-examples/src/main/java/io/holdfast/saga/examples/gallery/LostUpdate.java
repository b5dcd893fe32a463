package io.holdfast.saga.examples.gallery;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.jdbc.BusinessTable;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.JdbcSteps;

/** Two editors have seen the same price, and save one after the other. */
final class LostUpdate implements Anomaly {
    record Edit(int priceSeen, long versionSeen, int raise) {}

    private static final SagaType<Edit> TYPE = SagaType.of("edit", 1, Edit.class);
    private static final JdbcSteps<Edit> STEPS = JdbcSteps.of(Edit.class);

    @Override
    public String title() {
        return "lost update";
    }

    @Override
    public String tool() {
        return "versioned edit";
    }

    private static Outcome play(Stage stage, CompensatableStep<Edit> save) {
        stage.sql("CREATE TABLE product (id int PRIMARY KEY, price int NOT NULL, version bigint NOT NULL)");
        stage.sql("INSERT INTO product VALUES (1, 10, 0)");
        JdbcSagas node = stage.node(SagaDefinition.builder(TYPE).step(save).build());
        var first = Stage.end(node.start(TYPE, "first", new Edit(10, 0, 2)));
        var second = Stage.end(node.start(TYPE, "second", new Edit(10, 0, 5)));
        String price = stage.text("SELECT price FROM product");
        boolean bothSaved = first == SagaState.COMPLETED && second == SagaState.COMPLETED;
        return new Outcome(
                bothSaved && !price.equals("17"),
                "+2 is " + first + ", +5 is " + second + ", and the price of 10 has become " + price);
    }

    @Override
    public Outcome naive(Stage stage) {
        return play(
                stage,
                STEPS.local(
                                "save",
                                ctx -> ctx.dsl()
                                        .execute(
                                                "UPDATE product SET price = ? WHERE id = 1",
                                                ctx.data().priceSeen()
                                                        + ctx.data().raise()))
                        .noCompensation("the last step"));
    }

    @Override
    public Outcome guarded(Stage stage) {
        return play(
                stage,
                STEPS.edit(
                                BusinessTable.of("product"),
                                edit -> 1,
                                ctx -> ctx.data().versionSeen())
                        .set("price", ctx -> ctx.data().priceSeen() + ctx.data().raise())
                        .apply("save"));
    }
}
