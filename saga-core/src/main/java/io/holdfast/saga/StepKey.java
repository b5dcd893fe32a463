package io.holdfast.saga;

import io.holdfast.saga.internal.Checks;

/**
 * The persisted name of a step together with the class of its result. Steps without a result are named by a String. A
 * class with type parameters is refused: what JSON must restore belongs into a record, whose component types are kept.
 *
 * @param <R> the class of the result
 * @param name the step's name
 * @param resultClass the class of its result
 */
public record StepKey<R>(String name, Class<R> resultClass) {
    /**
     * Checks both.
     *
     * @param name 1 to 100 letters, digits, dots, dashes and underscores, beginning with a letter or digit
     * @param resultClass a class without type parameters
     * @throws SagaDefinitionException when the name is not valid (SAGA-101) or the class cannot be restored from JSON
     *     (SAGA-103)
     */
    public StepKey {
        Checks.name("step", name);
        Checks.payloadClass("result", resultClass);
    }

    /**
     * A key.
     *
     * @param <R> the class of the result
     * @param name 1 to 100 letters, digits, dots, dashes and underscores, beginning with a letter or digit
     * @param resultClass a class without type parameters
     * @return the key
     * @throws SagaDefinitionException as the constructor
     */
    public static <R> StepKey<R> of(String name, Class<R> resultClass) {
        return new StepKey<>(name, resultClass);
    }
}
