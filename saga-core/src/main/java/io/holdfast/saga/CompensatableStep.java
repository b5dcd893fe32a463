package io.holdfast.saga;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A step that can be undone, or says why it need not be. Fits before the pivot. Immutable and threadsafe; not for
 * implementation by users: {@code build()} refuses foreign ones (SAGA-112).
 *
 * @param <D> the class of its data
 */
public interface CompensatableStep<D> {
    /** {@return the step's persisted name} */
    String name();

    /**
     * How the action is tried again. Default: {@link RetryPolicy#DEFAULT}.
     *
     * @param ofTheAction never null
     * @return a new step
     */
    CompensatableStep<D> retry(RetryPolicy ofTheAction);

    /**
     * How the compensation is tried again; when it is spent, the saga is stuck. Default: {@link RetryPolicy#PATIENT}.
     *
     * @param ofTheCompensation never null
     * @return a new step
     */
    CompensatableStep<D> compensationRetry(RetryPolicy ofTheCompensation);

    /**
     * How long one attempt may take, of the action and of the compensation. Default: 30 seconds.
     *
     * @param perAttempt 1 ms to 1 day
     * @return a new step
     * @throws SagaDefinitionException when null or out of range (SAGA-104)
     */
    CompensatableStep<D> timeout(Duration perAttempt);

    /**
     * Skipped when the predicate says no. The decision is made and journalled once, when the step would become current; the
     * predicate must depend on nothing but the data and earlier results.
     *
     * @param condition never null
     * @return a new step
     */
    CompensatableStep<D> when(Predicate<? super StepContext<D>> condition);

    /**
     * This step for a saga whose data contains D.
     *
     * @param <P> the class of the saga's data
     * @param part finds D in it; must return the same for the same data, never null
     * @return a new step
     */
    <P> CompensatableStep<P> dataFrom(Function<? super P, ? extends D> part);
}
