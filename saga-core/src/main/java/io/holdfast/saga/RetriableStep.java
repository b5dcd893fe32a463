package io.holdfast.saga;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A step that is repeated until it is done. Fits as the pivot and after it. Immutable and threadsafe; not for
 * implementation by users: {@code build()} refuses foreign ones (SAGA-112).
 *
 * @param <D> the class of its data
 */
public interface RetriableStep<D> {
    /** {@return the step's persisted name} */
    String name();

    /**
     * How the action is tried again; spent after the pivot has begun, the saga is stuck. Default:
     * {@link RetryPolicy#DEFAULT}.
     *
     * @param policy never null
     * @return a new step
     */
    RetriableStep<D> retry(RetryPolicy policy);

    /**
     * How long one attempt may take. Default: 30 seconds.
     *
     * @param perAttempt 1 ms to 1 day
     * @return a new step
     * @throws SagaDefinitionException when null or out of range (SAGA-104)
     */
    RetriableStep<D> timeout(Duration perAttempt);

    /**
     * Skipped when the predicate says no; see {@link CompensatableStep#when}.
     *
     * @param condition never null
     * @return a new step
     */
    RetriableStep<D> when(Predicate<? super StepContext<D>> condition);

    /**
     * This step for a saga whose data contains D.
     *
     * @param <P> the class of the saga's data
     * @param part finds D in it; must return the same for the same data, never null
     * @return a new step
     */
    <P> RetriableStep<P> dataFrom(Function<? super P, ? extends D> part);
}
