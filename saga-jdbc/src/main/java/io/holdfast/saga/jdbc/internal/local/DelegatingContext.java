package io.holdfast.saga.jdbc.internal.local;

import io.holdfast.saga.StepContext;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.internal.EngineContext;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** The engine's context of a call, for contexts that offer more. */
public abstract class DelegatingContext<D> implements StepContext<D> {
    private final EngineContext<D> engine;

    /** The same call. */
    protected DelegatingContext(EngineContext<D> engine) {
        this.engine = engine;
    }

    /** What is behind it. */
    protected EngineContext<D> engine() {
        return engine;
    }

    @Override
    public D data() {
        return engine.data();
    }

    @Override
    public <R> R result(StepKey<R> key) {
        return engine.result(key);
    }

    @Override
    public <R> Optional<R> findResult(StepKey<R> key) {
        return engine.findResult(key);
    }

    @Override
    public UUID sagaId() {
        return engine.sagaId();
    }

    @Override
    public String businessKey() {
        return engine.businessKey();
    }

    @Override
    public String idempotencyKey() {
        return engine.idempotencyKey();
    }

    @Override
    public String actionKey() {
        return engine.actionKey();
    }

    @Override
    public int attempt() {
        return engine.attempt();
    }

    @Override
    public boolean isCancelled() {
        return engine.isCancelled();
    }

    @Override
    public Duration remaining() {
        return engine.remaining();
    }
}
