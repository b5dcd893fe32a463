package io.holdfast.saga;

/**
 * Work without a result.
 *
 * @param <C> what the work is given
 */
@FunctionalInterface
public interface StepAction<C> {
    /**
     * Does the work.
     *
     * @param ctx what the step knows, valid during the call only
     * @throws Exception any failure; see {@code docs/} for how failures are told apart
     */
    void run(C ctx) throws Exception;
}
