package io.holdfast.saga.jdbc.counter;

import io.holdfast.saga.RejectionException;
import io.holdfast.saga.SagaError;
import java.io.Serial;
import java.math.BigDecimal;

/** A counter would have come below its floor, or above its ceiling. Nothing was changed; the step fails without a retry. */
public final class CounterLimitException extends RejectionException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** What it was; serialised with the exception. */
    private final BigDecimal value;

    /** By what it was to be changed; serialised with the exception. */
    private final BigDecimal delta;

    /** Where it ends; serialised with the exception. */
    private final BigDecimal limit;

    /**
     * For the library's own use.
     *
     * @param what the counter and its row, never null
     * @param value what it was
     * @param delta by what it was to be changed
     * @param limit its floor or ceiling
     */
    public CounterLimitException(String what, BigDecimal value, BigDecimal delta, BigDecimal limit) {
        super(
                SagaError.COUNTER_LIMIT,
                what + " is " + value.toPlainString() + "; " + (delta.signum() < 0 ? "taking " : "adding ")
                        + delta.abs().toPlainString() + " would pass its "
                        + (delta.signum() < 0 ? "floor" : "ceiling") + " of " + limit.toPlainString()
                        + ". Nothing was changed",
                null);
        this.value = value;
        this.delta = delta;
        this.limit = limit;
    }

    /**
     * What the counter was when the step wanted to change it.
     *
     * @return never null
     */
    public BigDecimal value() {
        return value;
    }

    /**
     * By what it was to be changed; negative when something was to be taken away.
     *
     * @return never null
     */
    public BigDecimal delta() {
        return delta;
    }

    /**
     * The floor or ceiling that would have been passed.
     *
     * @return never null
     */
    public BigDecimal limit() {
        return limit;
    }
}
