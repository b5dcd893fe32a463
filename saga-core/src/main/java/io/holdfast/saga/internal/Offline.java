package io.holdfast.saga.internal;

import io.holdfast.saga.internal.StepSpec.ByKey;
import io.holdfast.saga.internal.StepSpec.Extras;
import io.holdfast.saga.internal.StepSpec.Undoing;
import java.util.List;
import java.util.function.Function;

/** A definition for a store without a database: there are no rows to hold, and local steps have nothing to undo. */
public final class Offline {
    private Offline() {}

    /** The same steps with other actions. */
    public static <D> Definition<D> of(Definition<D> definition, Function<StepSpec<D>, StepBody<D>> action) {
        return new Definition<>(
                definition.type(),
                definition.steps().stream()
                        .map(step -> with(step, action.apply(step)))
                        .toList(),
                definition.pivot(),
                List.of(),
                definition.deadline());
    }

    private static <D> StepSpec<D> with(StepSpec<D> step, StepBody<D> action) {
        Undoing<D> undoing = step.undoing() instanceof ByKey<D> && !step.isExternal()
                ? new ByKey<>((ctx, tx, known) -> {})
                : step.undoing();
        return new StepSpec<>(
                step.signature(),
                action,
                undoing,
                step.policies(),
                new Extras<>(step.extras().condition(), null, null, null));
    }
}
