package io.holdfast.saga.spi;

import io.holdfast.saga.Direction;
import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.spi.Change.Counters;
import io.holdfast.saga.spi.Change.Tenure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A guard and a change in the making, beginning with a saga as it stands. Mutable. */
final class Changes {
    private final Guard guard;
    private SagaState state;
    private Direction direction;
    private Pivot pivot;
    private String step;
    private int attempts;
    private Counters counters = Counters.KEEP;
    private Tenure tenure = new Change.Kept();
    private @Nullable String error;
    private final List<NewEntry> entries = new ArrayList<>();

    private Changes(StoredSaga saga) {
        guard = saga.guard();
        state = saga.state();
        direction = saga.direction();
        pivot = saga.pivot();
        step = saga.step();
        attempts = saga.attempts();
    }

    static Changes of(StoredSaga saga) {
        return new Changes(saga);
    }

    /** The common case: the step is done, the next one begins. */
    static Changes next(StoredSaga saga, String step) {
        return of(saga).entry(Kind.STEP_DONE).to(step);
    }

    static Changes failed(StoredSaga saga) {
        return of(saga).attempts(saga.attempts() + 1).entry(Kind.STEP_FAILED);
    }

    static Changes turnedBack(StoredSaga saga) {
        return of(saga).state(SagaState.COMPENSATING, Direction.BACKWARD).entry(Kind.TURNED_BACK);
    }

    static Changes ended(StoredSaga saga, SagaState end) {
        Kind kind = end == SagaState.STUCK ? Kind.STUCK : Kind.valueOf(end.name());
        return of(saga).state(end, saga.direction()).tenure(new Change.Ended()).entry(kind);
    }

    static Changes parked(StoredSaga saga, Duration wakeUpIn) {
        return of(saga).tenure(new Change.Parked(wakeUpIn)).entry(Kind.PARKED);
    }

    Changes state(SagaState next, Direction way) {
        state = next;
        direction = way;
        return this;
    }

    Changes pivot(Pivot next) {
        pivot = next;
        return this;
    }

    Changes to(String next) {
        step = next;
        counters = Counters.NEW_STEP;
        return attempts(0);
    }

    Changes attempts(int number) {
        attempts = number;
        return this;
    }

    Changes counters(Counters what) {
        counters = what;
        return this;
    }

    Changes tenure(Tenure what) {
        tenure = what;
        return this;
    }

    Changes error(String text) {
        error = text;
        return this;
    }

    Changes entry(Kind kind) {
        return entry(NewEntry.of(kind, guard.step(), direction));
    }

    Changes entry(NewEntry entry) {
        entries.add(entry);
        return this;
    }

    Guard guard() {
        return guard;
    }

    Change change() {
        return new Change(
                state, direction, pivot, new Change.Progress(step, attempts, counters), tenure, error, entries);
    }
}
