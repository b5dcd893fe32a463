package io.holdfast.saga.internal;

import io.holdfast.saga.RetriableStep;
import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.StepContext;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;

/** A step that fits as the pivot and after it. */
public record Retriable<D>(StepSpec<D> spec) implements RetriableStep<D>, SpecBacked<D> {
    @Override
    public String name() {
        return spec.name();
    }

    @Override
    public RetriableStep<D> retry(RetryPolicy policy) {
        return new Retriable<>(spec.retry(policy));
    }

    @Override
    public RetriableStep<D> timeout(Duration perAttempt) {
        return new Retriable<>(spec.timeout(perAttempt));
    }

    @Override
    public RetriableStep<D> when(Predicate<? super StepContext<D>> condition) {
        return new Retriable<>(spec.when(condition));
    }

    @Override
    public <P> RetriableStep<P> dataFrom(Function<? super P, ? extends D> part) {
        return new Retriable<>(spec.dataFrom(part));
    }
}
