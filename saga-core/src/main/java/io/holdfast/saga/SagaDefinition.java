package io.holdfast.saga;

import io.holdfast.saga.internal.Checks;
import io.holdfast.saga.internal.DefinitionBuilder;

/**
 * An immutable, checked list of steps. Threadsafe. Its hash covers names, kinds and order of the steps, whether they are local
 * or external and have a compensation, the classes of their results, and the tables they lock; never code, durations or retry
 * policies. A node drives only sagas whose stored hash is its own definition's.
 *
 * @param <D> the class of the saga's data
 */
public interface SagaDefinition<D> {
    /**
     * Begins a definition.
     *
     * @param <D> the class of the saga's data
     * @param type the saga's type
     * @return a builder
     */
    static <D> SagaBuilder<D> builder(SagaType<D> type) {
        return new DefinitionBuilder<>(Checks.notNull("type", type));
    }

    /** {@return the saga's type} */
    SagaType<D> type();

    /** {@return 32 hexadecimal digits} */
    String hash();
}
