package io.holdfast.saga;

/**
 * Undoes what a step did. Runs at least once and must bear being repeated, also on another node.
 *
 * @param <C> what it is given
 * @param <R> the step's result, or an Optional of it
 */
@FunctionalInterface
public interface Compensation<C, R> {
    /**
     * Undoes.
     *
     * @param ctx what the step knows, valid during the call only
     * @param result what the action returned
     * @throws Exception any failure: it is tried again, patiently, and in the end the saga is stuck
     */
    void compensate(C ctx, R result) throws Exception;
}
