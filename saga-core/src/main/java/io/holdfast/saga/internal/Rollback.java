package io.holdfast.saga.internal;

import io.holdfast.saga.internal.StepSpec.ByKey;
import io.holdfast.saga.internal.StepSpec.SettledFirst;
import org.jspecify.annotations.Nullable;

/** What is to be undone, latest first. */
final class Rollback {
    private Rollback() {}

    /**
     * The next step to undo at a place or before it; null when nothing is left.
     *
     * @param fresh the step whose action was surely not begun, or null
     */
    static <D> @Nullable StepSpec<D> next(
            Definition<D> definition, Progress progress, int from, @Nullable String fresh) {
        for (int place = from; place >= 0; place--) {
            StepSpec<D> step = definition.steps().get(place);
            if (isUndoable(step) && isOpen(step, progress, fresh)) {
                return step;
            }
        }
        return null;
    }

    private static boolean isUndoable(StepSpec<?> step) {
        return step.undoing() instanceof ByKey<?> || step.undoing() instanceof SettledFirst<?>;
    }

    private static boolean isOpen(StepSpec<?> step, Progress progress, @Nullable String fresh) {
        String name = step.name();
        if (progress.isUndone(name) || progress.isSkipped(name)) {
            return false;
        }
        return progress.isDone(name) || isInDoubt(step, progress, fresh);
    }

    /**
     * Whether the step's action may have had an effect that nobody recorded. Surely not done is a step only if its participant
     * rejected it, or no attempt was ever begun; one attempt in doubt is not cleared by a later failure. Local steps are never in doubt.
     */
    static boolean isInDoubt(StepSpec<?> step, Progress progress, @Nullable String fresh) {
        String name = step.name();
        return step.isExternal()
                && !progress.isDone(name)
                && !progress.isRejected(name)
                && (progress.isAttempted(name) || !name.equals(fresh));
    }
}
