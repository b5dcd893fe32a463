package io.holdfast.saga;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** One saga, seen from outside. Threadsafe; each method but {@link #sagaId()} reads or writes the store. */
public interface SagaHandle {
    /** {@return the saga's id} */
    UUID sagaId();

    /**
     * The saga's row, now.
     *
     * @return empty when no such saga is there
     * @throws SagaStoreException when the database cannot be asked (SAGA-601)
     */
    Optional<SagaSnapshot> snapshot();

    /**
     * Waits until the saga has ended or is stuck, on whatever node.
     *
     * @param atMost how long; zero looks once
     * @return empty when the end has not come in time, or no such saga is there
     * @throws SagaUsageException when the duration is negative or too long (SAGA-104), or the thread is interrupted
     *     (SAGA-211, with the interrupt flag set again)
     * @throws SagaStoreException when the database cannot be asked for the whole time (SAGA-601)
     */
    Optional<SagaOutcome> await(Duration atMost);

    /**
     * Asks the saga to turn back. Durable when it returns; a node that is driving the saga ends its running attempt, records
     * its outcome and then undoes. Threadsafe, repeatable, from any node.
     *
     * @param reason why, for the journal; not blank, at most 500 characters
     * @return APPLIED, ALREADY (it was turned back before), UNDECIDED (the pivot is being asked), TOO_LATE (the pivot is
     *     done, or the saga has ended, or is stuck: then an operator decides), NOT_FOUND
     * @throws SagaUsageException when the reason is null, blank or too long (SAGA-105, SAGA-106)
     * @throws SagaStoreException when the database cannot be asked (SAGA-601), or its answer was lost (SAGA-602)
     */
    Verdict cancel(String reason);
}
