package io.holdfast.saga.internal;

import io.holdfast.saga.Direction;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.internal.Caller.What;
import java.time.Duration;
import java.util.List;

/**
 * Decides what a saga does next, and has it done: one {@link #turn} at a time, until the saga has ended, is parked or stuck, or is
 * not this node's any more. Used by one thread at a time.
 */
final class Runner<D> {
    private final Node node;
    private final Seat<D> seat;
    private final Drive<D> drive;
    private final Caller<D> caller;
    private final Transitions<D> transitions;
    private final Parking<D> parking;
    private final Forward<D> forward;
    private final Backward<D> backward;

    Runner(Node node, Seat<D> seat, Drive<D> drive) {
        this.node = node;
        this.seat = seat;
        this.drive = drive;
        this.caller = new Caller<>(node, seat, drive);
        this.transitions = new Transitions<>(seat, new Conditions<>(node, seat, caller::data));
        this.parking = new Parking<>(node, seat, drive, caller, transitions);
        Forward.Tools<D> tools = new Forward.Tools<>(caller, transitions, parking);
        this.forward = new Forward<>(node, seat, drive, tools);
        this.backward = new Backward<>(node, seat, forward, tools);
    }

    Caller<D> caller() {
        return caller;
    }

    /** One decision and what follows from it. False when nobody on this node drives the saga any more. */
    boolean turn() {
        SagaState state = seat.saga().state();
        if (seat.saga().owner().isEmpty() || state == SagaState.STUCK || state.isFinal()) {
            return false;
        }
        if (drive.isClosing()) {
            parking.park(Duration.ZERO, "handed back: the node shuts down");
            return false;
        }
        seat.ensureLease();
        if (drive.wasSignalled()) {
            seat.look(); // turned back, most likely: nothing more is begun in the old direction
            return true;
        }
        if (state == SagaState.RUNNING) {
            forward.turn();
        } else {
            backward.turn();
        }
        return true;
    }

    /** Too many leases of it expired: it may be killing its nodes. */
    boolean admitAfterTakeover() {
        int takeovers = seat.saga().takeovers();
        if (takeovers >= node.settings().limits().takeovers()) {
            String error = SagaError.TAKEN_OVER_TOO_OFTEN.code() + ": " + takeovers
                    + " leases of this saga expired without an outcome; it may be killing its nodes";
            seat.write(() -> transitions.stuck(List.of(), error));
            return false;
        }
        if (takeovers >= 2) {
            Duration backoff = Retries.capped(node.lease().multipliedBy(1L << Math.min(takeovers - 2, 10)));
            parking.park(backoff, takeovers + " leases expired without an outcome; taken up again in " + backoff);
            return false;
        }
        return true;
    }

    /** An attempt was given up: its failure is recorded and the old run fenced; then the saga decides as after any failure. */
    void goOnAfterGivenUp(What<D> what) {
        String step = what.step().name();
        String error =
                node.describe(new StepTimedOut(step, what.step().policies().timeout()));
        int attempts = seat.saga().attempts();
        seat.write(() -> stillAt(step, attempts) ? transitions.givenUp(transitions.failure(what, error)) : null);
        boolean landed = !seat.saga().step().equals(step) || seat.saga().attempts() == attempts;
        boolean turnedBack = what.budget() == Direction.FORWARD && seat.saga().direction() == Direction.BACKWARD;
        if (!landed && !turnedBack) {
            decideAfterGivenUp(what, error);
        }
    }

    private boolean stillAt(String step, int attempts) {
        return seat.saga().step().equals(step) && seat.saga().attempts() == attempts;
    }

    private void decideAfterGivenUp(What<D> what, String error) {
        Retries.Plan plan = parking.planAfter(what);
        if (plan.tryAgain() && plan.inPlace()) {
            parking.pause(plan.delay());
        } else if (plan.tryAgain()) {
            parking.park(plan.delay(), "tried again in " + plan.delay());
        } else if (what.budget() == Direction.FORWARD && seat.saga().pivot() == Pivot.NONE) {
            seat.write(forward.whileRunning(() -> transitions.turnBack(List.of(), Forward.spent(what.step(), error))));
        } else {
            seat.write(() -> transitions.stuck(List.of(), error));
        }
    }
}
