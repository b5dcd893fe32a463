package io.holdfast.saga.internal;

import io.holdfast.saga.Direction;
import io.holdfast.saga.internal.Caller.What;
import io.holdfast.saga.internal.StepSpec.ByKey;
import io.holdfast.saga.internal.StepSpec.SettledFirst;
import io.holdfast.saga.spi.Change;
import io.holdfast.saga.spi.NewEntry;
import io.holdfast.saga.spi.StoreTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The way back: what was done is undone, latest first; an undo must not overtake its action. */
final class Backward<D> {
    private final Node node;
    private final Seat<D> seat;
    private final Forward<D> forward;
    private final Caller<D> caller;
    private final Transitions<D> transitions;
    private final Parking<D> parking;

    Backward(Node node, Seat<D> seat, Forward<D> forward, Forward.Tools<D> tools) {
        this.node = node;
        this.seat = seat;
        this.forward = forward;
        this.caller = tools.caller();
        this.transitions = tools.transitions();
        this.parking = tools.parking();
    }

    void turn() {
        Definition<D> definition = seat.definition();
        int place = definition.place(seat.saga().step());
        StepSpec<D> target = Rollback.next(definition, seat.progress(), place, seat.fresh());
        if (target == null || definition.place(target.name()) != place) {
            seat.write(transitions::nothingToUndo);
        } else if (!Rollback.isInDoubt(target, seat.progress(), seat.fresh())) {
            undo(target);
        } else if (isDoubtOver(target)) {
            settleOrUndo(target);
        }
    }

    /** Reads what may have come late, and waits, after a takeover, for a call of the former owner to time out. */
    private boolean isDoubtOver(StepSpec<D> step) {
        seat.readJournal();
        Instant takenOver = seat.progress().takenOverAt(step.name());
        if (takenOver == null) {
            return true;
        }
        Duration left =
                Duration.between(seat.now(), takenOver.plus(step.policies().timeout()));
        if (left.isNegative() || left.isZero()) {
            return true;
        }
        parking.park(
                left,
                "the undo of step \"" + step.name() + "\" waits until a call of the former owner must have timed out");
        return false;
    }

    private void settleOrUndo(StepSpec<D> step) {
        boolean open = !seat.progress().isDone(step.name()) && !seat.progress().isLate(step.name());
        if (step.undoing() instanceof SettledFirst<D> && open) {
            settle(step);
        } else {
            undo(step);
        }
    }

    /** Asks the action again, with its own key, until it is done or rejected; only then it can be undone. */
    private void settle(StepSpec<D> step) {
        What<D> what = What.settlement(step, attempt(step));
        Outcome outcome = caller.act(what);
        if (outcome instanceof Outcome.Failed failed) {
            failed(what, failed.cause());
        } else {
            forward.record(what, outcome);
        }
    }

    private int attempt(StepSpec<D> step) {
        return seat.progress().failures(step.name(), Direction.BACKWARD) + 1;
    }

    private void undo(StepSpec<D> step) {
        What<D> what = What.undo(step, attempt(step));
        Outcome outcome = step.isExternal()
                ? caller.undo(what, body(step))
                : caller.local(
                        what,
                        (ctx, tx) -> {
                            assertHeld(step, tx);
                            body(step).undo(ctx, tx, caller.known(step));
                            return null;
                        },
                        done -> transitions.undone(done, what.number()));
        if (outcome != null) {
            record(what, outcome);
        }
    }

    /** A local undo relies on locks that others may take: it asserts them, and is stuck where one is lost. */
    private void assertHeld(StepSpec<D> step, StoreTransaction transaction) {
        Holdings.of(seat.definition(), seat.progress(), seat.saga().sagaId()).assertTakeableFor(step, transaction);
    }

    private static <D> UndoBody<D> body(StepSpec<D> step) {
        if (step.undoing() instanceof ByKey<D> byKey) {
            return byKey.body();
        }
        if (step.undoing() instanceof SettledFirst<D> settled) {
            return settled.body();
        }
        throw new IllegalStateException("step " + step.name() + " has no undo");
    }

    private void record(What<D> what, Outcome outcome) {
        StepSpec<D> step = what.step();
        if (outcome instanceof Outcome.Done done) {
            seat.write(() -> transitions.undone(done, what.number()));
        } else if (outcome instanceof Outcome.Rejected rejected) {
            String error = node.describe(rejected.cause());
            seat.write(() -> transitions.stuck(List.of(transitions.failure(what, error)), error));
        } else if (outcome instanceof Outcome.Busy busy) {
            parking.waitFor(step, busy.cause());
        } else if (outcome instanceof Outcome.Failed failed && !parking.isOutage(step, failed)) {
            failed(what, failed.cause());
        }
    }

    /** Tried again, patiently; then the saga is stuck and the steps before stay as they are. */
    private void failed(What<D> what, Throwable cause) {
        Retries.Plan plan = parking.planAfter(what);
        String error = node.describe(cause);
        Supplier<@Nullable Change> change = () -> {
            NewEntry failure = transitions.failure(what, error);
            if (!plan.tryAgain()) {
                return transitions.stuck(List.of(failure), error);
            }
            return plan.inPlace()
                    ? transitions.failedHere(failure)
                    : transitions.failedAndParked(failure, plan.delay());
        };
        if (plan.tryAgain() && !plan.inPlace()) {
            parking.parkWith(change, plan.delay());
        } else {
            seat.write(change);
            if (plan.tryAgain()) {
                parking.pause(plan.delay());
            }
        }
    }
}
