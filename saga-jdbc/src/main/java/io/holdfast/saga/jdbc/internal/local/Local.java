package io.holdfast.saga.jdbc.internal.local;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.Compensation;
import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.StepContext;
import io.holdfast.saga.internal.Checks;
import io.holdfast.saga.internal.Compensatable;
import io.holdfast.saga.internal.SpecBacked;
import io.holdfast.saga.internal.StepSpec;
import io.holdfast.saga.internal.StepSpec.ByKey;
import io.holdfast.saga.internal.StepSpec.Nothing;
import io.holdfast.saga.jdbc.LocalContext;
import io.holdfast.saga.jdbc.LocalStep;
import io.holdfast.saga.spi.Isolation;
import io.holdfast.saga.spi.Isolation.Level;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;

/** Statements in the transaction that moves the saga on. */
record Local<D, R>(StepSpec<D> spec) implements LocalStep<D, R>, SpecBacked<D> {
    @Override
    public String name() {
        return spec.name();
    }

    @Override
    public LocalStep<D, R> retry(RetryPolicy policy) {
        return new Local<>(spec.retry(policy));
    }

    @Override
    public LocalStep<D, R> timeout(Duration perAttempt) {
        return new Local<>(spec.timeout(perAttempt));
    }

    @Override
    public LocalStep<D, R> when(Predicate<? super StepContext<D>> condition) {
        return new Local<>(spec.when(condition));
    }

    @Override
    public <P> LocalStep<P, R> dataFrom(Function<? super P, ? extends D> part) {
        return new Local<>(spec.dataFrom(part));
    }

    @Override
    public LocalStep<D, R> rejectedOn(Class<? extends Exception> type) {
        return new Local<>(spec.rejectedOn(type));
    }

    @Override
    public LocalStep<D, R> serializable() {
        return at(Level.SERIALIZABLE);
    }

    @Override
    public LocalStep<D, R> repeatableRead() {
        return at(Level.REPEATABLE_READ);
    }

    private LocalStep<D, R> at(Level level) {
        return new Local<>(
                spec.isolation(new Isolation(level, spec.policies().isolation().runs())));
    }

    @Override
    public LocalStep<D, R> reruns(int atMost) {
        int runs = Checks.limit("reruns", atMost, 1, 1_000);
        return new Local<>(
                spec.isolation(new Isolation(spec.policies().isolation().level(), runs)));
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // decoded with the class of the step's own key; null without a result
    public CompensatableStep<D> compensatedBy(Compensation<? super LocalContext<D>, R> compensation) {
        Checks.notNull("compensation", compensation);
        return new Compensatable<>(spec.undoing(new ByKey<>(
                (ctx, tx, known) -> compensation.compensate(new TransactionContext<>(ctx, tx), (R) known.result()))));
    }

    @Override
    public CompensatableStep<D> noCompensation(String why) {
        return new Compensatable<>(spec.undoing(new Nothing<>(Checks.why(why))));
    }
}
