package io.holdfast.saga;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A call to elsewhere, with no transaction open. As it is it fits as the pivot and after it; {@link #compensatedBy},
 * {@link #settledAndCompensatedBy} or {@link #noCompensation} makes it fit before the pivot. It is called at least once, each
 * time with the same {@link StepContext#idempotencyKey()}, which the participant must remember.
 *
 * @param <D> the class of its data
 * @param <R> the class of its result
 */
public interface ExternalStep<D, R> extends RetriableStep<D> {
    @Override
    ExternalStep<D, R> retry(RetryPolicy policy);

    @Override
    ExternalStep<D, R> timeout(Duration perAttempt);

    @Override
    ExternalStep<D, R> when(Predicate<? super StepContext<D>> condition);

    @Override
    <P> ExternalStep<P, R> dataFrom(Function<? super P, ? extends D> part);

    /**
     * An exception that is the participant's authoritative answer for this key: not done, and never will be. Every other
     * exception leaves the outcome in doubt. Subclasses count; may be called several times.
     *
     * @param type never null
     * @return a new step
     */
    ExternalStep<D, R> rejectedOn(Class<? extends Exception> type);

    /**
     * Undone by key: the result is empty when the outcome is in doubt, that is, the action may have happened, may not have, or
     * may still arrive. The participant must refuse a call that arrives after its undo.
     *
     * @param compensation never null
     * @return a new step
     */
    CompensatableStep<D> compensatedBy(Compensation<? super StepContext<D>, Optional<R>> compensation);

    /**
     * As {@link #compensatedBy}, but when the outcome is in doubt the action is first asked again with its own key until it is
     * done or rejected, so the compensation always has a result (of a step without one: null). For participants that remember
     * outcomes by key but cannot undo by key.
     *
     * @param compensation never null
     * @return a new step
     */
    CompensatableStep<D> settledAndCompensatedBy(Compensation<? super StepContext<D>, R> compensation);

    /**
     * Nothing to undo.
     *
     * @param why for the reader of the definition; not blank
     * @return a new step
     */
    CompensatableStep<D> noCompensation(String why);
}
