package io.holdfast.saga.internal;

import io.holdfast.saga.Direction;
import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.spi.Change;
import io.holdfast.saga.spi.Change.Counters;
import io.holdfast.saga.spi.Change.Tenure;
import io.holdfast.saga.spi.NewEntry;
import io.holdfast.saga.spi.StoredEntry;
import io.holdfast.saga.spi.StoredSaga;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every change the engine makes to a saga, computed from where it stands now (the transition table of the protocol). */
final class Transitions<D> {
    private static final Tenure KEPT = new Change.Kept();
    private static final Tenure RAISED = new Change.Raised();
    private static final Tenure ENDED = new Change.Ended();

    private final Seat<D> seat;
    private final Conditions<D> conditions;

    Transitions(Seat<D> seat, Conditions<D> conditions) {
        this.seat = seat;
        this.conditions = conditions;
    }

    private StoredSaga saga() {
        return seat.saga();
    }

    private NewEntry entry(Kind kind) {
        return NewEntry.of(kind, saga().step(), saga().direction());
    }

    /** The current step is done. Turned back meanwhile: recorded, and undone next. */
    Change done(StepSpec<D> step, Outcome.Done outcome, int attempt) {
        NewEntry done = NewEntry.of(Kind.STEP_DONE, step.name(), saga().direction())
                .attempt(attempt)
                .result(outcome.result())
                .note(outcome.note());
        if (saga().direction() == Direction.BACKWARD) {
            return here(0, KEPT, null, List.of(done));
        }
        Pivot pivot = seat.definition().isPivot(step) ? Pivot.PASSED : saga().pivot();
        return enter(seat.definition().place(step.name()) + 1, pivot, List.of(done));
    }

    /** The first step whose condition holds becomes current, from a place on; or the saga is completed. */
    Change enter(int from, Pivot pivot, List<NewEntry> lead) {
        Conditions.Entrance<D> entrance = conditions.enter(from, progressWith(lead));
        List<NewEntry> entries = new ArrayList<>(lead);
        entries.addAll(entrance.skipped());
        if (entrance.broken() != null) {
            return pivot == Pivot.NONE
                    ? turnBack(entries, entrance.broken())
                    : stuck(pivot, entries, entrance.broken());
        }
        StepSpec<D> next = entrance.step();
        if (next == null) {
            entries.add(NewEntry.of(Kind.COMPLETED, null, Direction.FORWARD));
            String last = saga().step();
            return new Change(SagaState.COMPLETED, Direction.FORWARD, pivot, begin(last), ENDED, null, entries);
        }
        return new Change(SagaState.RUNNING, Direction.FORWARD, pivot, begin(next.name()), KEPT, null, entries);
    }

    private static Change.Progress begin(String step) {
        return new Change.Progress(step, 0, Counters.NEW_STEP);
    }

    /** Stays at the current step, with an outcome recorded. */
    private Change here(int attempts, Tenure tenure, @Nullable String error, List<NewEntry> entries) {
        Change.Progress progress = new Change.Progress(saga().step(), attempts, Counters.OUTCOME);
        return new Change(saga().state(), saga().direction(), saga().pivot(), progress, tenure, error, entries);
    }

    /** Surely not done: turns back, also from a pivot that was asked; after the pivot only a person can help. */
    Change rejected(StepSpec<D> step, String error, int attempt) {
        NewEntry entry = NewEntry.of(Kind.STEP_REJECTED, step.name(), saga().direction())
                .attempt(attempt)
                .error(error);
        if (saga().direction() == Direction.BACKWARD) {
            return here(0, KEPT, error, List.of(entry));
        }
        boolean free = saga().pivot() == Pivot.NONE || seat.definition().isPivot(step);
        return free ? turnBack(List.of(entry), error) : stuck(saga().pivot(), List.of(entry), error);
    }

    /** An attempt that failed, as an entry. */
    NewEntry failure(Caller.What<D> what, String error) {
        Kind kind = what.budget() == Direction.FORWARD ? Kind.STEP_FAILED : Kind.COMPENSATION_FAILED;
        return NewEntry.of(kind, what.step().name(), saga().direction())
                .attempt(what.number())
                .error(error);
    }

    /** A failure that is tried again without letting go of the saga. */
    Change failedHere(NewEntry failure) {
        return here(saga().attempts() + 1, KEPT, failure.error(), List.of(failure));
    }

    /** A failure whose thread or transaction may still live: fenced. */
    Change givenUp(NewEntry failure) {
        Change.Progress progress = new Change.Progress(saga().step(), saga().attempts() + 1, Counters.KEEP);
        return new Change(
                saga().state(),
                saga().direction(),
                saga().pivot(),
                progress,
                RAISED,
                failure.error(),
                List.of(failure));
    }

    /** A failure that is tried again later, by whoever is free then. */
    Change failedAndParked(NewEntry failure, Duration delay) {
        NewEntry parked = entry(Kind.PARKED).note("tried again in " + delay);
        return here(saga().attempts() + 1, new Change.Parked(delay), failure.error(), List.of(failure, parked));
    }

    /** Let go of, without an attempt counted. */
    Change parked(Duration delay, String note) {
        Change.Progress progress = new Change.Progress(saga().step(), saga().attempts(), Counters.KEEP);
        return new Change(
                saga().state(),
                saga().direction(),
                saga().pivot(),
                progress,
                new Change.Parked(delay),
                null,
                List.of(entry(Kind.PARKED).note(note)));
    }

    /** Goes backward from here; the direction is durable before the first undo runs. */
    Change turnBack(List<NewEntry> lead, String why) {
        List<NewEntry> entries = new ArrayList<>(lead);
        entries.add(
                NewEntry.of(Kind.TURNED_BACK, saga().step(), Direction.BACKWARD).error(why));
        int place = seat.definition().place(saga().step());
        return backTo(Rollback.next(seat.definition(), progressWith(lead), place, seat.fresh()), why, entries);
    }

    private Change backTo(@Nullable StepSpec<D> target, @Nullable String error, List<NewEntry> entries) {
        if (target == null) {
            entries.add(NewEntry.of(Kind.COMPENSATED, null, Direction.BACKWARD));
        }
        return new Change(
                target == null ? SagaState.COMPENSATED : SagaState.COMPENSATING,
                Direction.BACKWARD,
                Pivot.NONE,
                begin(target == null ? saga().step() : target.name()),
                target == null ? ENDED : KEPT,
                error,
                entries);
    }

    /** The current step is undone; on to the one before. */
    Change undone(Outcome.Done outcome, int attempt) {
        return back(List.of(entry(Kind.STEP_UNDONE).attempt(attempt).note(outcome.note())));
    }

    /** The current step has nothing to undo; on to the one before. */
    Change nothingToUndo() {
        return back(List.of(entry(Kind.STEP_SKIPPED).note("nothing to undo")));
    }

    private Change back(List<NewEntry> lead) {
        int place = seat.definition().place(saga().step());
        StepSpec<D> target = Rollback.next(seat.definition(), progressWith(lead), place, seat.fresh());
        return backTo(target, null, new ArrayList<>(lead));
    }

    /** Needs a person; keeps its direction and whatever it holds. */
    Change stuck(List<NewEntry> lead, String error) {
        return stuck(saga().pivot(), lead, error);
    }

    private Change stuck(Pivot pivot, List<NewEntry> lead, String error) {
        List<NewEntry> entries = new ArrayList<>(lead);
        entries.add(entry(Kind.STUCK).error(error));
        int attempts = saga().attempts() + (lead.isEmpty() ? 0 : 1);
        Change.Progress progress = new Change.Progress(saga().step(), attempts, Counters.KEEP);
        return new Change(SagaState.STUCK, saga().direction(), pivot, progress, ENDED, error, entries);
    }

    /** An external pivot may be called once this is committed. */
    Change pivotBegun() {
        Change.Progress progress = new Change.Progress(saga().step(), saga().attempts(), Counters.KEEP);
        return new Change(
                saga().state(),
                saga().direction(),
                Pivot.BEGUN,
                progress,
                KEPT,
                null,
                List.of(entry(Kind.PIVOT_BEGUN)));
    }

    private Progress progressWith(List<NewEntry> lead) {
        return seat.progress()
                .and(lead.stream()
                        .map(entry -> new StoredEntry(0, saga().readAt(), saga().runSeq(), "", entry))
                        .toList());
    }
}
