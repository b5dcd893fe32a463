package io.holdfast.saga.internal;

import io.holdfast.saga.ConcurrentSagaException;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaStoreException;
import io.holdfast.saga.internal.Caller.What;
import io.holdfast.saga.spi.Change;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How a saga waits: on its thread where that is short, else parked, so that nobody drives it and it costs nothing. */
final class Parking<D> {
    private final Node node;
    private final Seat<D> seat;
    private final Drive<D> drive;
    private final Caller<D> caller;
    private final Transitions<D> transitions;
    private final Retries retries;
    private int outages;

    Parking(Node node, Seat<D> seat, Drive<D> drive, Caller<D> caller, Transitions<D> transitions) {
        this.node = node;
        this.seat = seat;
        this.drive = drive;
        this.caller = caller;
        this.transitions = transitions;
        this.retries = new Retries(node.settings().limits().inPlace());
    }

    /** Whether a failed attempt is followed by another, and when. */
    Retries.Plan planAfter(What<D> what) {
        return retries.plan(what.retry(), what.number(), seat.sinceStep());
    }

    /** Lets go of the saga for a while. */
    void park(Duration delay, String note) {
        parkWith(() -> transitions.parked(delay, note), delay);
    }

    /** The deadlines of its rows are extended in the same transaction, so that they outlast the pause. */
    void parkWith(Supplier<@Nullable Change> change, Duration delay) {
        Holdings holdings =
                Holdings.of(seat.definition(), seat.progress(), seat.saga().sagaId());
        if (holdings.isEmpty()) {
            seat.write(change);
        } else {
            extendAndPark(change, delay, holdings);
        }
        if (seat.saga().owner().isEmpty()) {
            drive.parked(delay);
        }
    }

    private void extendAndPark(Supplier<@Nullable Change> change, Duration delay, Holdings holdings) {
        StepSpec<D> step = seat.definition().step(seat.saga().step());
        Duration atLeast = delay.plus(node.lease());
        Outcome outcome = caller.transaction(step, tx -> holdings.extendAll(tx, atLeast), change);
        if (outcome != null) {
            seat.write(change); // the rows keep the deadline they have; the saga itself must not be lost
        }
    }

    void pause(Duration delay) {
        drive.pause(delay);
    }

    /** Contention is not a failure: it costs no attempt. An overdue holder is recovered meanwhile, by whoever is free. */
    void waitFor(StepSpec<D> step, ConcurrentSagaException busy) {
        if (busy.advice() == ConcurrentSagaException.Advice.RECOVER_HOLDER) {
            drive.recover(busy.holder());
        }
        Duration delay = retries.contentionDelay(seat.sinceStep());
        if (retries.isInPlace(delay) && drive.hasFreeSlot()) {
            drive.pause(delay);
        } else {
            park(delay, "waits at step \"" + step.name() + "\": " + node.describe(busy));
        }
    }

    /** The database went away in the library's transaction: surely nothing was done. No attempt, unless it happens again and again. */
    boolean isOutage(StepSpec<D> step, Outcome.Failed failed) {
        boolean called = step.isExternal()
                && !(seat.definition().isPivot(step) && seat.saga().pivot() == Pivot.NONE);
        boolean away = !called
                && failed.cause() instanceof SagaStoreException store
                && store.error() == SagaError.STORE_UNAVAILABLE;
        if (!away || outages >= Retries.MAX_OUTAGES) {
            outages = 0;
            return false;
        }
        drive.pause(Retries.outageDelay(outages++));
        return true;
    }
}
