package io.holdfast.saga.internal;

import io.holdfast.saga.Direction;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.internal.Caller.What;
import io.holdfast.saga.spi.Change;
import io.holdfast.saga.spi.NewEntry;
import io.holdfast.saga.spi.StoreTransaction;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The way forward: the next step, the pivot, and what an action's outcome leads to. */
final class Forward<D> {
    private final Node node;
    private final Seat<D> seat;
    private final Drive<D> drive;
    private final Caller<D> caller;
    private final Transitions<D> transitions;
    private final Parking<D> parking;
    private boolean firstDecided;

    /** What both ways work with. */
    record Tools<D>(Caller<D> caller, Transitions<D> transitions, Parking<D> parking) {}

    Forward(Node node, Seat<D> seat, Drive<D> drive, Tools<D> tools) {
        this.node = node;
        this.seat = seat;
        this.drive = drive;
        this.caller = tools.caller();
        this.transitions = tools.transitions();
        this.parking = tools.parking();
    }

    void turn() {
        Definition<D> definition = seat.definition();
        StepSpec<D> step = definition.step(seat.saga().step());
        if (isPastDeadline()) {
            String why = SagaError.DEADLINE_PASSED.code() + ": the saga's deadline has passed";
            seat.write(whileRunning(() -> transitions.turnBack(List.of(), why)));
        } else if (seat.progress().isDone(step.name())) {
            int next = definition.place(step.name()) + 1; // stuck behind it, and retried by an operator
            seat.write(whileRunning(() -> transitions.enter(next, seat.saga().pivot(), List.of())));
        } else if (isFirstUndecided(step)) {
            decideFirst(step);
        } else if (definition.isPivot(step) && step.isExternal() && seat.saga().pivot() == Pivot.NONE) {
            beginPivot(step);
        } else {
            act(step);
        }
    }

    private boolean isPastDeadline() {
        Instant deadline = seat.saga().origin().deadlineAt();
        return seat.saga().pivot() == Pivot.NONE
                && deadline != null
                && !seat.now().isBefore(deadline);
    }

    /** The condition of the first step is looked at here, those of all others when the step before is done. */
    private boolean isFirstUndecided(StepSpec<D> step) {
        return !firstDecided
                && step.extras().condition() != null
                && seat.definition().place(step.name()) == 0
                && seat.saga().attempts() == 0;
    }

    private void decideFirst(StepSpec<D> step) {
        firstDecided = true;
        Change change = transitions.enter(0, seat.saga().pivot(), List.of());
        if (change.state() != SagaState.RUNNING || !change.progress().step().equals(step.name())) {
            seat.write(whileRunning(() -> change));
        }
    }

    /** A commit of its own, with the full guard: nothing is called before it is confirmed. */
    private void beginPivot(StepSpec<D> step) {
        PivotChecks<D> checks = pivotChecks();
        if (checks.isEmpty()) {
            seat.write(whileRunning(transitions::pivotBegun));
            return;
        }
        What<D> what = What.beginning(step, seat.progress().failures(step.name(), Direction.FORWARD) + 1);
        Outcome outcome = checks.areReading()
                ? caller.local(what, (ctx, tx) -> read(checks, ctx, tx), done -> transitions.pivotBegun())
                : caller.transaction(step, checks::assertHeld, transitions::pivotBegun);
        if (outcome != null) {
            record(what, outcome);
        }
    }

    private void act(StepSpec<D> step) {
        int number = seat.progress().failures(step.name(), Direction.FORWARD) + 1;
        What<D> what = What.action(step, number);
        Outcome outcome = step.isExternal()
                ? caller.act(what)
                : caller.local(
                        what,
                        (ctx, tx) -> {
                            check(step, ctx, tx);
                            return step.action().run(ctx, tx);
                        },
                        done -> transitions.done(step, done, number));
        if (outcome != null) {
            record(what, outcome);
        }
    }

    private void check(StepSpec<D> step, EngineContext<D> ctx, StoreTransaction transaction) throws Exception {
        if (seat.definition().isPivot(step)) {
            pivotChecks().run(ctx, transaction);
        } else {
            Holdings.of(seat.definition(), seat.progress(), seat.saga().sagaId())
                    .assertTakeableFor(step, transaction);
        }
    }

    private static <D> @Nullable Object read(PivotChecks<D> checks, EngineContext<D> ctx, StoreTransaction transaction)
            throws Exception {
        checks.run(ctx, transaction);
        return null;
    }

    private PivotChecks<D> pivotChecks() {
        return new PivotChecks<>(seat.definition(), seat.progress(), seat.saga().sagaId());
    }

    /** An outcome of an action; recorded also when the saga was turned back meanwhile. */
    void record(What<D> what, Outcome outcome) {
        StepSpec<D> step = what.step();
        if (outcome instanceof Outcome.Done done) {
            written(what, outcome, () -> transitions.done(step, done, what.number()));
        } else if (outcome instanceof Outcome.Rejected rejected) {
            String error = node.describe(rejected.cause());
            written(what, outcome, () -> transitions.rejected(step, error, what.number()));
        } else if (outcome instanceof Outcome.Busy busy) {
            parking.waitFor(step, busy.cause());
        } else if (outcome instanceof Outcome.Failed failed && !parking.isOutage(step, failed)) {
            failed(what, failed);
        }
    }

    /** An outcome that is fenced off is still told to the journal. */
    private void written(What<D> what, Outcome outcome, Supplier<@Nullable Change> change) {
        long runSeq = seat.saga().runSeq();
        try {
            seat.write(change);
        } catch (DriveEnded e) {
            if (what.step().isExternal()) {
                drive.late(what, runSeq, outcome);
            }
            throw e;
        }
    }

    private void failed(What<D> what, Outcome.Failed failed) {
        Retries.Plan plan = parking.planAfter(what);
        String error = node.describe(failed.cause());
        boolean goesOn = plan.tryAgain() && failed.cure() != Outcome.Cure.NONE;
        Supplier<@Nullable Change> change = () -> {
            NewEntry failure = transitions.failure(what, error);
            if (seat.saga().direction() == Direction.BACKWARD || (goesOn && plan.inPlace())) {
                return transitions.failedHere(failure);
            }
            return goesOn ? transitions.failedAndParked(failure, plan.delay()) : over(what, failure, failed.cure());
        };
        if (goesOn && !plan.inPlace()) {
            parking.parkWith(change, plan.delay());
        } else {
            written(what, failed, change);
            if (goesOn && seat.saga().state() == SagaState.RUNNING) {
                parking.pause(plan.delay());
            }
        }
    }

    /** No further attempt: turns back where it may, else needs a person. */
    private Change over(What<D> what, NewEntry failure, Outcome.Cure cure) {
        String error = String.valueOf(failure.error());
        boolean mayTurnBack = seat.saga().pivot() == Pivot.NONE && cure != Outcome.Cure.OTHER_CODE;
        return mayTurnBack
                ? transitions.turnBack(List.of(failure), spent(what.step(), error))
                : transitions.stuck(List.of(failure), error);
    }

    static String spent(StepSpec<?> step, String error) {
        return "step \"" + step.name() + "\" failed, and is not tried again: " + error;
    }

    /** A change that makes sense only while the saga goes forward. */
    Supplier<@Nullable Change> whileRunning(Supplier<Change> change) {
        return () -> seat.saga().state() == SagaState.RUNNING ? change.get() : null;
    }
}
