package io.holdfast.saga;

import io.holdfast.saga.internal.Checks;
import io.holdfast.saga.internal.DefaultSteps;

/**
 * Makes steps for sagas (or parts of sagas) whose data is D. Stateless and threadsafe.
 *
 * @param <D> the class of the steps' data
 */
public interface Steps<D> {
    /**
     * A factory.
     *
     * @param <D> the class of the steps' data
     * @param dataClass never null
     * @return the factory
     */
    static <D> Steps<D> of(Class<D> dataClass) {
        Checks.notNull("data class", dataClass);
        return new DefaultSteps<>();
    }

    /**
     * A call to elsewhere without a result.
     *
     * @param name the step's persisted name
     * @param action what is done
     * @return the step
     * @throws SagaDefinitionException when the name is not valid (SAGA-101)
     */
    ExternalStep<D, Void> external(String name, StepAction<? super StepContext<D>> action);

    /**
     * A call to elsewhere with a result, which is stored with the step.
     *
     * @param <R> the class of the result
     * @param key the step's persisted name and the class of its result
     * @param action what is done
     * @return the step
     */
    <R> ExternalStep<D, R> external(StepKey<R> key, StepFunction<? super StepContext<D>, ? extends R> action);
}
