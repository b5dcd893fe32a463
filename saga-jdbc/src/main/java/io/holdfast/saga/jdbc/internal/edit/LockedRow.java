package io.holdfast.saga.jdbc.internal.edit;

import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.internal.EngineContext;
import io.holdfast.saga.jdbc.edit.EditContext;
import io.holdfast.saga.jdbc.internal.local.DelegatingContext;
import java.util.Map;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** The engine's context of a call, with the row that it edits. */
final class LockedRow<D> extends DelegatingContext<D> implements EditContext<D> {
    private final Map<String, @Nullable String> values;

    LockedRow(EngineContext<D> engine, Map<String, @Nullable String> values) {
        super(engine);
        this.values = values;
    }

    @Override
    public <T> @Nullable T current(String column, Class<T> type) {
        engine().sagaId(); // refuses once the call is over
        if (!values.containsKey(column)) {
            throw new SagaUsageException(
                    SagaError.NO_SUCH_RESULT,
                    "column \"" + column + "\" is none that the edit sets (" + values.keySet() + ")");
        }
        return DSL.val((Object) values.get(column), type).getValue();
    }
}
