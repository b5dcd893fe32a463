package io.holdfast.saga;

/**
 * Work with a result.
 *
 * @param <C> what the work is given
 * @param <R> its result
 */
@FunctionalInterface
public interface StepFunction<C, R> {
    /**
     * Does the work.
     *
     * @param ctx what the step knows, valid during the call only
     * @return never null
     * @throws Exception any failure; see {@code docs/} for how failures are told apart
     */
    R apply(C ctx) throws Exception;
}
