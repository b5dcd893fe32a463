package io.holdfast.saga.internal;

import io.holdfast.saga.Direction;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.StepContext;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.spi.StoredSaga;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** A step's context, and what only the library's own steps may ask. */
public final class EngineContext<D> implements StepContext<D> {
    private final Call call;
    private final D data;

    EngineContext(Call call, D data) {
        this.call = call;
        this.data = data;
    }

    /** The same call, seen by a step that works on a part of the data. */
    public <P> EngineContext<P> map(Function<? super D, ? extends P> part) {
        P mapped = Objects.requireNonNull(part.apply(data), "dataFrom returned null");
        return new EngineContext<>(call, mapped);
    }

    /** The saga as it was when the attempt began. */
    public StoredSaga saga() {
        return call.view().saga();
    }

    /** How long the step has been current, on the database's clock. */
    public Duration sinceStep() {
        return call.view().sinceStep();
    }

    /** What the step's journal entry should say besides, for people: a finding that is no failure. */
    public void note(String text) {
        call.note(text);
    }

    /** A value as this step's result would be stored. */
    public String encoded(Object value) {
        return call.encoded(value);
    }

    /** Whether the saga holds business rows already. */
    public boolean holdsRows() {
        return call.view().holdsRows();
    }

    @Override
    public D data() {
        call.view();
        return data;
    }

    @Override
    public <R> R result(StepKey<R> key) {
        return findResult(key)
                .orElseThrow(() -> new SagaUsageException(
                        SagaError.NO_SUCH_RESULT,
                        "step \"" + key.name()
                                + "\" has no result here: it was skipped, has not run, or returns none"));
    }

    @Override
    public <R> Optional<R> findResult(StepKey<R> key) {
        Checks.argument("step key", key);
        return Optional.ofNullable(call.find(key.name(), key.resultClass()));
    }

    @Override
    public UUID sagaId() {
        return saga().sagaId();
    }

    @Override
    public String businessKey() {
        return saga().businessKey();
    }

    @Override
    public String idempotencyKey() {
        return call.key();
    }

    @Override
    public String actionKey() {
        return call.key(Direction.FORWARD);
    }

    @Override
    public int attempt() {
        return call.attempt();
    }

    @Override
    public boolean isCancelled() {
        return call.isCancelled();
    }

    @Override
    public Duration remaining() {
        return call.remaining();
    }
}
