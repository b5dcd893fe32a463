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
        return outcome("nothing was taken and one given back", seats);
    }

    @Override
    public Outcome guarded(Stage stage) {
        Seats seats = new Seats(stage);
        return outcome("the undo is answered " + seats.giveBack(), seats);
    }

    private static Outcome outcome(String what, Seats seats) {
        return new Outcome(!seats.free().equals("10"), what + ", " + seats.free() + " of 10 seats are free");
    }
}
