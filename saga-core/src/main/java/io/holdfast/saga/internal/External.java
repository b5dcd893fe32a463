package io.holdfast.saga.internal;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.Compensation;
import io.holdfast.saga.ExternalStep;
import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.StepContext;
import io.holdfast.saga.internal.StepSpec.ByKey;
import io.holdfast.saga.internal.StepSpec.Nothing;
import io.holdfast.saga.internal.StepSpec.SettledFirst;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** A call to elsewhere. */
record External<D, R>(StepSpec<D> spec) implements ExternalStep<D, R>, SpecBacked<D> {
    @Override
    public String name() {
        return spec.name();
    }

    @Override
    public ExternalStep<D, R> retry(RetryPolicy policy) {
        return new External<>(spec.retry(policy));
    }

    @Override
    public ExternalStep<D, R> timeout(Duration perAttempt) {
        return new External<>(spec.timeout(perAttempt));
    }

    @Override
    public ExternalStep<D, R> when(Predicate<? super StepContext<D>> condition) {
        return new External<>(spec.when(condition));
    }

    @Override
    public <P> ExternalStep<P, R> dataFrom(Function<? super P, ? extends D> part) {
        return new External<>(spec.dataFrom(part));
    }

    @Override
    public ExternalStep<D, R> rejectedOn(Class<? extends Exception> type) {
        return new External<>(spec.rejectedOn(type));
    }

    @Override
    @SuppressWarnings("unchecked") // the engine decoded the result with the class of the step's own key
    public CompensatableStep<D> compensatedBy(Compensation<? super StepContext<D>, Optional<R>> compensation) {
        Checks.notNull("compensation", compensation);
        return new Compensatable<>(spec.undoing(new ByKey<>(
                (ctx, tx, known) -> compensation.compensate(ctx, Optional.ofNullable((R) known.result())))));
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // null for steps without a result, as documented
    public CompensatableStep<D> settledAndCompensatedBy(Compensation<? super StepContext<D>, R> compensation) {
        Checks.notNull("compensation", compensation);
        return new Compensatable<>(
                spec.undoing(new SettledFirst<>((ctx, tx, known) -> compensation.compensate(ctx, (R) known.result()))));
    }

    @Override
    public CompensatableStep<D> noCompensation(String why) {
        return new Compensatable<>(spec.undoing(new Nothing<>(Checks.why(why))));
    }
}
