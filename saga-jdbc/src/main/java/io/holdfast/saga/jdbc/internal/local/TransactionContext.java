package io.holdfast.saga.jdbc.internal.local;

import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.internal.EngineContext;
import io.holdfast.saga.jdbc.LocalContext;
import io.holdfast.saga.jdbc.internal.JdbcTransaction;
import io.holdfast.saga.spi.StoreTransaction;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** The engine's context of a call, with the transaction it runs in. */
public record TransactionContext<D>(
        EngineContext<D> engine, @Nullable StoreTransaction transaction) implements LocalContext<D> {
    @Override
    public DSLContext dsl() {
        engine.sagaId(); // refuses once the call is over
        return open(transaction).dsl();
    }

    public static JdbcTransaction open(@Nullable StoreTransaction transaction) {
        if (transaction instanceof JdbcTransaction open) {
            return open;
        }
        throw new SagaUsageException(
                SagaError.STUB_MISSING, "there is no database here: in memory a local step needs a stub");
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
