package io.holdfast.saga.internal;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.StepContext;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;

/** A step that fits before the pivot. */
public record Compensatable<D>(StepSpec<D> spec) implements CompensatableStep<D>, SpecBacked<D> {
    @Override
    public String name() {
        return spec.name();
    }

    @Override
    public CompensatableStep<D> retry(RetryPolicy ofTheAction) {
        return new Compensatable<>(spec.retry(ofTheAction));
    }

    @Override
    public CompensatableStep<D> compensationRetry(RetryPolicy ofTheCompensation) {
        return new Compensatable<>(spec.undoRetry(ofTheCompensation));
    }

    @Override
    public CompensatableStep<D> timeout(Duration perAttempt) {
        return new Compensatable<>(spec.timeout(perAttempt));
    }

    @Override
    public CompensatableStep<D> when(Predicate<? super StepContext<D>> condition) {
        return new Compensatable<>(spec.when(condition));
    }

    @Override
    public <P> CompensatableStep<P> dataFrom(Function<? super P, ? extends D> part) {
        return new Compensatable<>(spec.dataFrom(part));
    }
}
