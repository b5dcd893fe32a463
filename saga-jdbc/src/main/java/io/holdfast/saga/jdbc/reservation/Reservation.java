package io.holdfast.saga.jdbc.reservation;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.RetriableStep;
import io.holdfast.saga.SagaDefinitionException;
import java.time.Duration;

/**
 * Something limited that a saga keeps for a while: try, confirm, cancel. Made by {@link io.holdfast.saga.jdbc.JdbcSteps#reservation} (a
 * quantity) or {@link io.holdfast.saga.jdbc.JdbcSteps#exclusive} (a seat, a voucher code). Immutable and threadsafe; copies made by its setters
 * are the same reservation, other objects are not.
 *
 * <p>A reservation has a time to live, counted on the database's clock, that is not renewed: it is a promise to others. When it is over
 * the units are free again, without anybody having to sweep; the reaper only records it. The transaction that begins the saga's pivot makes the
 * reservation firm, and from then on it ends by {@link #settle}, {@link #release} or a pivot that is refused; where its time is over by
 * then the pivot is not begun and the saga turns back with {@link ReservationLostException}.
 *
 * @param <D> the class of the steps' data
 */
public interface Reservation<D> {
    /**
     * How long it is kept unless the pivot begins before. Default: 15 minutes.
     *
     * @param timeToLive 100 ms to 365 days
     * @return a new view of this reservation
     * @throws SagaDefinitionException when null or out of range (SAGA-104)
     */
    Reservation<D> ttl(Duration timeToLive);

    /**
     * Reserves; undone by giving back. Fails without a retry, so that the saga turns back: with {@link NotAvailableException} (SAGA-410) when
     * there is not enough, or somebody else has it; with {@link ReservationLostException} (SAGA-411) when it comes too late, after its own
     * cancel; with {@link io.holdfast.saga.RowUnavailableException} when the resource's row is missing.
     *
     * @param step the step's persisted name
     * @return the step
     * @throws SagaDefinitionException when the name is not valid (SAGA-101)
     */
    CompensatableStep<D> reserve(String step);

    /**
     * Uses up what was reserved: a quantity is taken out of the capacity column, in the same transaction; an exclusive resource stays taken for
     * good. Fits as the pivot or after it.
     *
     * @param step the step's persisted name
     * @return the step
     * @throws SagaDefinitionException when the name is not valid (SAGA-101)
     */
    RetriableStep<D> settle(String step);

    /**
     * Gives back what was reserved, unused: for capacity that was needed only meanwhile. Fits as the pivot or after it.
     *
     * @param step the step's persisted name
     * @return the step
     * @throws SagaDefinitionException when the name is not valid (SAGA-101)
     */
    RetriableStep<D> release(String step);
}
