package io.holdfast.saga.examples.gallery;

/** The undo overtakes the call that it undoes. */
final class Hanging implements Anomaly {
    @Override
    public String title() {
        return "hanging";
    }

    @Override
    public String tool() {
        return "barrier";
    }

    @Override
    public Outcome naive(Stage stage) {
        Seats seats = new Seats(stage);
        seats.giveBackCarefully();
        seats.takeNaively();
        return seats.outcome("the undo found nothing, then the call came");
    }

    @Override
    public Outcome guarded(Stage stage) {
        Seats seats = new Seats(stage);
        return seats.outcome("the undo is answered " + seats.giveBack() + ", the call " + seats.take());
    }
}
