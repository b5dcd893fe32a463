package io.holdfast.saga.jdbc.reservation;

import io.holdfast.saga.RejectionException;
import io.holdfast.saga.SagaError;
import java.io.Serial;

/** There is not enough left to reserve, or somebody else has what there is only one of. The step fails without a retry. */
public final class NotAvailableException extends RejectionException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** How many were wanted; serialised with the exception. */
    private final long wanted;

    /** How many there were; serialised with the exception. */
    private final long available;

    /**
     * For the library's own use.
     *
     * @param message what and why, never null
     * @param wanted how many were wanted
     * @param available how many there were
     */
    public NotAvailableException(String message, long wanted, long available) {
        super(SagaError.NOT_AVAILABLE, message, null);
        this.wanted = wanted;
        this.available = available;
    }

    /**
     * How many units were wanted.
     *
     * @return 1 or more
     */
    public long wanted() {
        return wanted;
    }

    /**
     * How many units were available at that moment.
     *
     * @return negative where the capacity was cut below what is reserved
     */
    public long available() {
        return available;
    }
}
