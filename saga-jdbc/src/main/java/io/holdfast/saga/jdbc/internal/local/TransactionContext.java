package io.holdfast.saga.jdbc.internal.local;

import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.internal.EngineContext;
import io.holdfast.saga.jdbc.LocalContext;
import io.holdfast.saga.jdbc.internal.JdbcTransaction;
import io.holdfast.saga.spi.StoreTransaction;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** The engine's context of a call, with the transaction it runs in. */
public final class TransactionContext<D> extends DelegatingContext<D> implements LocalContext<D> {
    private final @Nullable StoreTransaction transaction;

    /** The same call, in a transaction, or without one in memory. */
    public TransactionContext(EngineContext<D> engine, @Nullable StoreTransaction transaction) {
        super(engine);
        this.transaction = transaction;
    }

    @Override
    public DSLContext dsl() {
        engine().sagaId(); // refuses once the call is over
        return open(transaction).dsl();
    }

    /** The transaction of a step on a database. */
    public static JdbcTransaction open(@Nullable StoreTransaction transaction) {
        if (transaction instanceof JdbcTransaction open) {
            return open;
        }
        throw new SagaUsageException(
                SagaError.STUB_MISSING, "there is no database here: in memory a local step needs a stub");
    }
}
