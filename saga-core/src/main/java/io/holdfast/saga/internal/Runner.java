package io.holdfast.saga.internal;

import io.holdfast.saga.ConcurrentSagaException;
import io.holdfast.saga.Direction;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStoreException;
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

/**
 * Decides what a saga does next, and does it: one {@link #turn} at a time, until the saga has ended, is parked or stuck, or is not
 * this node's any more. Used by one thread at a time.
 */
final class Runner<D> {
    private final Node node;
    private final Seat<D> seat;
    private final Drive<D> drive;
    private final Caller<D> caller;
    private final Transitions<D> transitions;
    private final Retries retries;
    private int outages;
    private boolean firstDecided;

    Runner(Node node, Seat<D> seat, Drive<D> drive) {
        this.node = node;
        this.seat = seat;
        this.drive = drive;
        this.caller = new Caller<>(node, seat, drive);
        this.transitions = new Transitions<>(seat, new Conditions<>(node, seat, caller::data));
        this.retries = new Retries(node.settings().limits().inPlace());
    }

    Caller<D> caller() {
        return caller;
    }

    Transitions<D> transitions() {
        return transitions;
    }

    /** One decision and what follows from it. False when nobody on this node drives the saga any more. */
    boolean turn() {
        SagaState state = seat.saga().state();
        if (seat.saga().owner().isEmpty() || state == SagaState.STUCK || state.isFinal()) {
            return false;
        }
        if (drive.isClosing()) {
            park(Duration.ZERO, "handed back: the node shuts down");
            return false;
        }
        seat.ensureLease();
        if (state == SagaState.RUNNING) {
            forward();
        } else {
            backward();
        }
        return true;
    }

    // ---- forward

    private void forward() {
        Definition<D> definition = seat.definition();
        StepSpec<D> step = definition.step(seat.saga().step());
        if (isPastDeadline()) {
            seat.write(whileRunning(() -> transitions.turnBack(
                    List.of(), SagaError.DEADLINE_PASSED.code() + ": the saga's deadline has passed")));
        } else if (seat.progress().isDone(step.name())) {
            seat.write(whileRunning(() -> transitions.enter(
                    definition.place(step.name()) + 1, seat.saga().pivot(), List.of())));
        } else if (!isFirstDecided(step)) {
            enterFirst(step);
        } else if (definition.isPivot(step) && step.isExternal() && seat.saga().pivot() == Pivot.NONE) {
            beginPivot(step);
        } else {
            act(step);
        }
    }

    /** The condition of the first step is looked at here, those of all others when the step before is done. */
    private boolean isFirstDecided(StepSpec<D> step) {
        return step.extras().condition() == null
                || seat.definition().place(step.name()) > 0
                || seat.saga().attempts() > 0
                || firstDecided;
    }

    private void enterFirst(StepSpec<D> step) {
        firstDecided = true;
        Change change = transitions.enter(0, seat.saga().pivot(), List.of());
        if (change.state() != SagaState.RUNNING || !change.progress().step().equals(step.name())) {
            seat.write(whileRunning(() -> change));
        }
    }

    private boolean isPastDeadline() {
        Instant deadline = seat.saga().origin().deadlineAt();
        return seat.saga().pivot() == Pivot.NONE
                && deadline != null
                && !seat.now().isBefore(deadline);
    }

    /** A commit of its own, with the full guard: nothing is called before it is confirmed. */
    private void beginPivot(StepSpec<D> step) {
        What<D> what = new What<>(step, Direction.FORWARD, 0);
        Holdings holdings = holdings();
        if (holdings.isEmpty()) {
            seat.write(whileRunning(transitions::pivotBegun));
            return;
        }
        Outcome outcome = caller.transaction(what, holdings::assertAll, transitions::pivotBegun);
        if (outcome != null) {
            record(what, outcome);
        }
    }

    private void act(StepSpec<D> step) {
        int number = seat.progress().failures(step.name(), Direction.FORWARD) + 1;
        What<D> what = new What<>(step, Direction.FORWARD, number);
        Outcome outcome = step.isExternal()
                ? caller.act(what)
                : caller.local(
                        what,
                        (ctx, tx) -> {
                            assertHeld(step, tx);
                            return step.action().run(ctx, tx);
                        },
                        result -> transitions.done(step, result, number));
        if (outcome != null) {
            record(what, outcome);
        }
    }

    private void assertHeld(StepSpec<D> step, StoreTransaction transaction) {
        if (seat.definition().isPivot(step)) {
            holdings().assertAll(transaction);
        } else {
            holdings().assertTakeable(transaction);
        }
    }

    private Holdings holdings() {
        return Holdings.of(seat.definition(), seat.progress(), seat.saga().sagaId());
    }

    /** An outcome of an action; recorded also when the saga was turned back meanwhile. */
    private void record(What<D> what, Outcome outcome) {
        StepSpec<D> step = what.step();
        if (outcome instanceof Outcome.Done done) {
            outages = 0;
            written(what, outcome, () -> transitions.done(step, done.result(), what.number()));
        } else if (outcome instanceof Outcome.Rejected rejected) {
            String error = node.describe(rejected.cause());
            written(what, outcome, () -> transitions.rejected(step, error, what.number()));
        } else if (outcome instanceof Outcome.Busy busy) {
            waitFor(step, busy.cause());
        } else if (outcome instanceof Outcome.Failed failed && !isOutage(what, failed)) {
            failed(what, failed);
        }
    }

    /** An outcome that is fenced off is still told to the journal. */
    private void written(What<D> what, Outcome outcome, Supplier<@Nullable Change> change) {
        try {
            seat.write(change);
        } catch (DriveEnded e) {
            if (what.step().isExternal()) {
                drive.late(what, seat.saga().runSeq(), outcome);
            }
            throw e;
        }
    }

    private void failed(What<D> what, Outcome.Failed failed) {
        Retries.Plan plan = retries.plan(what.step().policies().retry(), what.number(), seat.sinceStep());
        NewEntry failure =
                transitions.failure(what.step(), node.describe(failed.cause()), what.number(), Direction.FORWARD);
        boolean goesOn = plan.tryAgain() && failed.cure() != Outcome.Cure.NONE;
        Supplier<Change> change = () -> {
            if (seat.saga().direction() == Direction.BACKWARD) {
                return transitions.failedHere(failure);
            }
            if (goesOn) {
                return plan.inPlace()
                        ? transitions.failedHere(failure)
                        : transitions.failedAndParked(failure, plan.delay());
            }
            boolean mayTurnBack = seat.saga().pivot() == Pivot.NONE && failed.cure() != Outcome.Cure.OTHER_CODE;
            return mayTurnBack
                    ? transitions.turnBack(
                            List.of(failure),
                            "retries of step \"" + what.step().name() + "\" are spent: " + failure.error())
                    : transitions.stuck(List.of(failure), String.valueOf(failure.error()));
        };
        writeOrPark(what, change, plan, goesOn);
    }

    private void writeOrPark(What<D> what, Supplier<Change> change, Retries.Plan plan, boolean goesOn) {
        if (!goesOn || plan.inPlace()) {
            written(what, new Outcome.Stopped(), change);
            if (goesOn && seat.saga().state() == SagaState.RUNNING) {
                drive.pause(plan.delay());
            }
        } else {
            parkWith(change, plan.delay());
        }
    }

    /** The database went away in a local step: surely nothing was done. No attempt, unless it happens again and again. */
    private boolean isOutage(What<D> what, Outcome.Failed failed) {
        boolean calledOut = what.step().isExternal() && what.number() > 0;
        if (calledOut
                || !(failed.cause() instanceof SagaStoreException away)
                || away.error() != SagaError.STORE_UNAVAILABLE) {
            return false;
        }
        if (outages >= Retries.MAX_OUTAGES) {
            outages = 0;
            return false;
        }
        drive.pause(Retries.outageDelay(outages++));
        return true;
    }

    /** Contention is not a failure: it costs no attempt. An overdue holder is recovered meanwhile, by whoever is free. */
    private void waitFor(StepSpec<D> step, ConcurrentSagaException busy) {
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

    // ---- backward

    private void backward() {
        Definition<D> definition = seat.definition();
        int place = definition.place(seat.saga().step());
        StepSpec<D> target = Rollback.next(definition, seat.progress(), place, seat.fresh());
        if (target == null || definition.place(target.name()) != place) {
            seat.write(transitions::nothingToUndo);
            return;
        }
        if (Rollback.isInDoubt(target, seat.progress(), seat.fresh())) {
            if (!isDoubtOver(target)) {
                return;
            }
            if (target.undoing() instanceof SettledFirst<D> && !seat.progress().isLate(target.name())) {
                settle(target);
                return;
            }
        }
        undo(target);
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
        park(left, "undo of step \"" + step.name() + "\" waits until a call of the former owner must have timed out");
        return false;
    }

    /** Asks the action again, with its own key, until it is done or rejected; only then it can be undone. */
    private void settle(StepSpec<D> step) {
        int number = seat.progress().failures(step.name(), Direction.BACKWARD) + 1;
        What<D> what = new What<>(step, Direction.FORWARD, number);
        Outcome outcome = caller.act(what);
        if (outcome instanceof Outcome.Failed failed) {
            undoFailed(what, failed.cause());
        } else {
            record(what, outcome);
        }
    }

    private void undo(StepSpec<D> step) {
        int number = seat.progress().failures(step.name(), Direction.BACKWARD) + 1;
        What<D> what = new What<>(step, Direction.BACKWARD, number);
        Outcome outcome = step.isExternal()
                ? caller.undo(what, body(step))
                : caller.local(
                        what,
                        (ctx, tx) -> {
                            holdings().assertTakeable(tx);
                            body(step).undo(ctx, tx, caller.known(step));
                            return null;
                        },
                        result -> transitions.undone(step, number));
        if (outcome instanceof Outcome.Done) {
            seat.write(() -> transitions.undone(step, number));
        } else if (outcome instanceof Outcome.Rejected rejected) {
            String error = node.describe(rejected.cause());
            seat.write(() ->
                    transitions.stuck(List.of(transitions.failure(step, error, number, Direction.BACKWARD)), error));
        } else if (outcome instanceof Outcome.Busy busy) {
            waitFor(step, busy.cause());
        } else if (outcome instanceof Outcome.Failed failed && !isOutage(what, failed)) {
            undoFailed(what, failed.cause());
        }
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

    private void undoFailed(What<D> what, Throwable cause) {
        Retries.Plan plan = retries.plan(what.step().policies().undoRetry(), what.number(), seat.sinceStep());
        String error = node.describe(cause);
        NewEntry failure = transitions.failure(what.step(), error, what.number(), Direction.BACKWARD);
        writeOrPark(
                what,
                () -> {
                    if (!plan.tryAgain()) {
                        return transitions.stuck(List.of(failure), error);
                    }
                    return plan.inPlace()
                            ? transitions.failedHere(failure)
                            : transitions.failedAndParked(failure, plan.delay());
                },
                plan,
                plan.tryAgain());
    }

    // ---- parking, and what follows an attempt that was given up

    /** The failure is recorded, the old run fenced; then the saga decides as after any failure. */
    void goOnAfterGivenUp(What<D> what) {
        StepSpec<D> step = what.step();
        String error =
                node.describe(new StepTimedOut(step.name(), step.policies().timeout()));
        int attemptsBefore = seat.saga().attempts();
        Direction budget = seat.saga().direction() == Direction.BACKWARD ? Direction.BACKWARD : what.direction();
        seat.write(() -> seat.saga().step().equals(step.name()) && seat.saga().attempts() == attemptsBefore
                ? transitions.givenUp(transitions.failure(step, error, what.number(), budget))
                : null);
        if (!seat.saga().step().equals(step.name()) || seat.saga().attempts() == attemptsBefore) {
            return; // its commit had landed after all
        }
        afterGivenUp(what, error);
    }

    private void afterGivenUp(What<D> what, String error) {
        boolean back = seat.saga().direction() == Direction.BACKWARD;
        var policies = what.step().policies();
        Retries.Plan plan =
                retries.plan(back ? policies.undoRetry() : policies.retry(), what.number(), seat.sinceStep());
        if (back && what.direction() == Direction.FORWARD && !(what.step().undoing() instanceof SettledFirst<D>)) {
            return; // turned back while the action ran: the undo comes next, with a budget of its own
        }
        if (plan.tryAgain() && plan.inPlace()) {
            drive.pause(plan.delay());
        } else if (plan.tryAgain()) {
            park(plan.delay(), "tried again in " + plan.delay());
        } else if (!back && seat.saga().pivot() == Pivot.NONE) {
            seat.write(whileRunning(() -> transitions.turnBack(
                    List.of(), "retries of step \"" + what.step().name() + "\" are spent: " + error)));
        } else {
            seat.write(() -> transitions.stuck(List.of(), error));
        }
    }

    /** Lets go of the saga for a while. */
    void park(Duration delay, String note) {
        parkWith(() -> transitions.parked(delay, note), delay);
    }

    /** The deadlines of its rows are extended in the same transaction, so that they outlast the pause. */
    private void parkWith(Supplier<Change> change, Duration delay) {
        Holdings holdings = holdings();
        if (holdings.isEmpty()) {
            seat.write(change);
        } else {
            extendAndPark(change, delay, holdings);
        }
        if (seat.saga().owner().isEmpty()) {
            drive.parked(delay);
        }
    }

    private void extendAndPark(Supplier<Change> change, Duration delay, Holdings holdings) {
        StepSpec<D> step = seat.definition().step(seat.saga().step());
        Duration atLeast = delay.plus(node.lease());
        Outcome outcome = caller.transaction(
                new What<>(step, seat.saga().direction(), 0), tx -> holdings.extendAll(tx, atLeast), change);
        if (outcome instanceof Outcome.Failed || outcome instanceof Outcome.Rejected) {
            seat.write(change); // the rows keep the deadline they have; the saga itself must not be lost
        }
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
            park(backoff, takeovers + " leases expired without an outcome; taken up again in " + backoff);
            return false;
        }
        return true;
    }

    private Supplier<@Nullable Change> whileRunning(Supplier<Change> change) {
        return () -> seat.saga().state() == SagaState.RUNNING ? change.get() : null;
    }
}
