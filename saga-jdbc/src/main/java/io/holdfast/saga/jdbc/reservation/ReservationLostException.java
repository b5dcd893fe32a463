package io.holdfast.saga.jdbc.reservation;

import io.holdfast.saga.RejectionException;
import io.holdfast.saga.SagaError;
import java.io.Serial;

/**
 * A reservation is not there (any more): its time was over before the pivot began, it was cancelled before it was made, or it was never made.
 * Before the pivot the saga turns back; after it the saga is stuck.
 */
public final class ReservationLostException extends RejectionException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * For the library's own use.
     *
     * @param message which and why, never null
     */
    public ReservationLostException(String message) {
        super(SagaError.RESERVATION_LOST, message, null);
    }
}
