package io.holdfast.saga.jdbc.counter;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.RetriableStep;
import io.holdfast.saga.SagaDefinitionException;
import java.math.BigDecimal;
import java.util.function.Function;

/**
 * A number in a business row that is changed by deltas: a stock, a balance, a quota. Changes of several sagas commute, so none waits for
 * another saga and none overwrites what another has done; undoing one applies the opposite delta. Made by
 * {@link io.holdfast.saga.jdbc.JdbcSteps#counter}. Immutable and threadsafe.
 *
 * <p>Each change is one guarded statement in the transaction that moves the saga on, so it takes effect exactly once, on whatever node. It
 * locks the row only until that transaction ends; changes of one row queue for that long. A counter does not look at
 * {@linkplain io.holdfast.saga.jdbc.lock.SemanticLock semantic locks}: a delta is right whoever else works on the row. Overwriting the
 * column elsewhere (also by a versioned edit) defeats it.
 *
 * @param <D> the class of the steps' data
 */
public interface Counter<D> {
    /**
     * The least value that a subtraction may leave. Default: none but what the table's constraints say.
     *
     * @param least not above the ceiling
     * @return a new counter
     * @throws SagaDefinitionException when null (SAGA-106), or above the ceiling (SAGA-126)
     */
    Counter<D> floor(BigDecimal least);

    /**
     * The greatest value that an addition may leave. Default: none but what the table's constraints and type say.
     *
     * @param most not below the floor
     * @return a new counter
     * @throws SagaDefinitionException when null (SAGA-106), or below the floor (SAGA-126)
     */
    Counter<D> ceiling(BigDecimal most);

    /**
     * Takes an amount away; undone by adding it again, once, whatever the ceiling. Fails without a retry, so that the saga turns back:
     * with {@link CounterLimitException} (SAGA-408) when less than the floor would be left; with
     * {@link io.holdfast.saga.RowUnavailableException} when the row is missing; with
     * {@link io.holdfast.saga.jdbc.ValueRefusedException} (SAGA-412) when the value is null, a constraint of the table refuses the new one,
     * or the column cannot hold it exactly; with {@link io.holdfast.saga.SagaUsageException} (SAGA-407) when the amount is null or negative. An undo
     * that meets one of these leaves the saga stuck.
     *
     * @param step the step's persisted name
     * @param amount finds the amount in the data: zero or more; the same for the same data
     * @return the step
     * @throws SagaDefinitionException when the name is not valid (SAGA-101) or an argument is null (SAGA-106)
     */
    CompensatableStep<D> subtract(String step, Function<? super D, BigDecimal> amount);

    /**
     * Adds an amount. Fits only as the pivot or after it: what was added may be spent by others at once, so that it could not be taken back.
     * Fails as {@link #subtract} does, with the ceiling instead of the floor.
     *
     * @param step the step's persisted name
     * @param amount finds the amount in the data: zero or more; the same for the same data
     * @return the step
     * @throws SagaDefinitionException when the name is not valid (SAGA-101) or an argument is null (SAGA-106)
     */
    RetriableStep<D> add(String step, Function<? super D, BigDecimal> amount);
}
