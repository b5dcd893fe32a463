package io.holdfast.saga.jdbc.edit;

import io.holdfast.saga.StepContext;
import org.jspecify.annotations.Nullable;

/**
 * What a new value can be made from: the saga, and the row as it is now, locked. Valid during the call only.
 *
 * @param <D> the class of the step's data
 */
public interface EditContext<D> extends StepContext<D> {
    /**
     * A value in the row before the edit.
     *
     * @param <T> the class of the value
     * @param column one that the edit sets
     * @param type what it is to be had as, as jOOQ converts from the text that the database prints
     * @return null where the row has null
     * @throws io.holdfast.saga.SagaUsageException when the edit does not set that column (SAGA-203)
     */
    <T> @Nullable T current(String column, Class<T> type);
}
