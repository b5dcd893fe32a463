package io.holdfast.saga.jdbc.reservation;

import io.holdfast.saga.SagaDefinitionException;
import java.time.Duration;

/**
 * A share of a quantity that stands in a column of a business row: how many units there are that are not settled yet. What others have
 * reserved and what is available is known to the database only, which never gives away more than there is, and never refuses while there
 * is enough.
 *
 * @param <D> the class of the steps' data
 */
public interface QuantityReservation<D> extends Reservation<D> {
    /**
     * The column with the number of units that are not settled yet. Default: {@code qty}.
     *
     * @param name a column of type smallint, int, bigint or numeric
     * @return a new view of this reservation
     * @throws SagaDefinitionException when the name is not valid (SAGA-120)
     */
    QuantityReservation<D> capacityColumn(String name);

    @Override
    QuantityReservation<D> ttl(Duration timeToLive);
}
