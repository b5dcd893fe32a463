package io.holdfast.saga.internal;

import io.holdfast.saga.ExternalStep;
import io.holdfast.saga.StepAction;
import io.holdfast.saga.StepContext;
import io.holdfast.saga.StepFunction;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.Steps;

/** Makes external steps. */
public class DefaultSteps<D> implements Steps<D> {
    @Override
    public ExternalStep<D, Void> external(String name, StepAction<? super StepContext<D>> action) {
        Checks.name("step", name);
        Checks.notNull("action", action);
        return new External<>(StepSpec.external(name, null, (ctx, tx) -> {
            action.run(ctx);
            return null;
        }));
    }

    @Override
    public <R> ExternalStep<D, R> external(StepKey<R> key, StepFunction<? super StepContext<D>, ? extends R> action) {
        Checks.notNull("step key", key);
        Checks.notNull("action", action);
        return new External<>(StepSpec.external(key.name(), key.resultClass(), (ctx, tx) -> action.apply(ctx)));
    }
}
