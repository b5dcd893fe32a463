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
        return outcome("the undo found nothing, then the call came", seats);
    }

    @Override
    public Outcome guarded(Stage stage) {
        Seats seats = new Seats(stage);
        return outcome("the undo is answered " + seats.giveBack() + ", the call " + seats.take(), seats);
    }

    private static Outcome outcome(String what, Seats seats) {
        return new Outcome(!seats.free().equals("10"), what + ", " + seats.free() + " of 10 seats are free");
    }
}
