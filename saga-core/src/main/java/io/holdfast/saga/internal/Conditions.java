package io.holdfast.saga.internal;

import io.holdfast.saga.Direction;
import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.StepContext;
import io.holdfast.saga.spi.NewEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds the step that becomes current next: the first whose condition does not say no. */
final class Conditions<D> {
    private final Node node;
    private final Seat<D> seat;
    private final Supplier<D> data;

    /** The next step, null at the end; what was skipped on the way; and the condition that threw, if one did. */
    record Entrance<D>(
            @Nullable StepSpec<D> step,
            List<NewEntry> skipped,
            @Nullable String broken) {}

    Conditions(Node node, Seat<D> seat, Supplier<D> data) {
        this.node = node;
        this.seat = seat;
        this.data = data;
    }

    Entrance<D> enter(int from, Progress progress) {
        List<NewEntry> skipped = new ArrayList<>();
        List<StepSpec<D>> steps = seat.definition().steps();
        for (int place = from; place < steps.size(); place++) {
            StepSpec<D> step = steps.get(place);
            try {
                if (holds(step, progress)) {
                    return new Entrance<>(step, skipped, null);
                }
            } catch (Throwable e) {
                return new Entrance<>(
                        step, skipped, "condition of step \"" + step.name() + "\" failed: " + node.describe(e));
            }
            skipped.add(NewEntry.of(Kind.STEP_SKIPPED, step.name(), Direction.FORWARD));
        }
        return new Entrance<>(null, skipped, null);
    }

    private boolean holds(StepSpec<D> step, Progress progress) {
        Predicate<? super StepContext<D>> condition = step.extras().condition();
        if (condition == null) {
            return true;
        }
        Call.View view = new Call.View(seat.saga(), progress, node.payloads(), false, Duration.ZERO);
        Call.Subject subject = new Call.Subject(step.name(), Direction.FORWARD, 1);
        try (Diagnostics ignored = Diagnostics.of(seat.saga(), step.name());
                Call call = new Call(view, subject, Idle.INSTANCE)) {
            return condition.test(new EngineContext<>(call, data.get()));
        }
    }

    /** A condition is quick and cannot be cancelled. */
    private enum Idle implements Call.Control {
        INSTANCE;

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public boolean isGivenUp() {
            return false;
        }

        @Override
        public Duration remaining() {
            return Duration.ZERO;
        }
    }
}
