package io.holdfast.saga.examples.gallery;

import io.holdfast.saga.jdbc.barrier.Barrier;
import io.holdfast.saga.jdbc.barrier.BarrierCall;
import io.holdfast.saga.jdbc.barrier.Passage;

/** A participant in another service: it takes a seat when called, and gives it back when the call is undone. */
final class Seats {
    private static final String KEY = "booking-1";
    private static final String TAKE = "UPDATE seats SET free = free - 1";
    private static final String GIVE_BACK = "UPDATE seats SET free = free + 1";

    private final Stage stage;
    private final Barrier barrier = Barrier.in("public");

    Seats(Stage stage) {
        this.stage = stage;
        stage.sql("CREATE TABLE seats (free int NOT NULL)");
        stage.sql("INSERT INTO seats VALUES (10)");
        stage.sql("CREATE TABLE taken (booking text PRIMARY KEY)");
        Barrier.migrate(stage.dataSource(), "public");
    }

    /** Takes, and remembers that it did. */
    void takeNaively() {
        stage.sql(TAKE);
        stage.sql("INSERT INTO taken VALUES ('" + KEY + "')");
    }

    /** Gives back if something was taken. */
    void giveBackCarefully() {
        stage.sql("WITH was AS (DELETE FROM taken WHERE booking = '" + KEY + "' RETURNING 1)"
                + " UPDATE seats SET free = free + (SELECT count(*) FROM was)");
    }

    void giveBackNaively() {
        stage.sql(GIVE_BACK);
    }

    Passage.Kind take() {
        return guarded(BarrierCall.action(KEY), TAKE);
    }

    Passage.Kind giveBack() {
        return guarded(BarrierCall.compensation(KEY), GIVE_BACK);
    }

    private Passage.Kind guarded(BarrierCall call, String change) {
        return stage.dsl()
                .transactionResult(transaction -> barrier.guard(transaction.dsl(), call, Void.class, dsl -> {
                            dsl.execute(change);
                            return null;
                        })
                        .kind());
    }

    /** All ten are free again, or something went wrong. */
    Outcome outcome(String what) {
        String free = stage.text("SELECT free FROM seats");
        return new Outcome(!free.equals("10"), what + ", " + free + " of 10 seats are free");
    }
}
