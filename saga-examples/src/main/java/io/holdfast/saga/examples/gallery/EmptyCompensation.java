package io.holdfast.saga.examples.gallery;

/** The call got lost on its way, its undo did not. */
final class EmptyCompensation implements Anomaly {
    @Override
    public String title() {
        return "empty compensation";
    }

    @Override
    public String tool() {
        return "barrier";
    }

    @Override
    public Outcome naive(Stage stage) {
        Seats seats = new Seats(stage);
        seats.giveBackNaively();
        return seats.outcome("nothing was taken and one given back");
    }

    @Override
    public Outcome guarded(Stage stage) {
        Seats seats = new Seats(stage);
        return seats.outcome("the undo is answered " + seats.giveBack());
    }
}
