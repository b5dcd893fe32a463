package io.holdfast.saga.jdbc.admin;

import io.holdfast.saga.SagaStoreException;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.Verdict;
import java.util.UUID;

/**
 * What an operator can do with a stuck saga. Each action is a compare-and-set on the saga's row, and its journal entry says who
 * asked for it and why. Get it from {@code JdbcSagas.admin(operator)}. Threadsafe.
 */
public interface SagaAdmin {
    /**
     * Has the current step, or its compensation, tried again with fresh retries, in the direction the saga has. Any node with
     * the definition takes it up, this one at once if it can.
     *
     * @param sagaId the saga
     * @param why for the journal; not blank, at most 500 characters
     * @return APPLIED, ALREADY (it is not stuck: it goes on by itself, or another operator was faster), TOO_LATE (it has ended), or
     *     NOT_FOUND
     * @throws SagaUsageException when an argument is null (SAGA-106), or the reason is blank or too long (SAGA-105)
     * @throws SagaStoreException when the database cannot be asked (SAGA-601), or its answer was lost (SAGA-602): asking again is
     *     safe
     */
    Verdict retry(UUID sagaId, String why);

    /**
     * Has a saga undone that is stuck before its pivot. The current step is undone first, unless it surely was not done.
     *
     * @param sagaId the saga
     * @param why for the journal; not blank, at most 500 characters
     * @return APPLIED, ALREADY (it is not stuck), TOO_LATE (its pivot was begun, or it has ended), or NOT_FOUND
     * @throws SagaUsageException when an argument is null (SAGA-106), or the reason is blank or too long (SAGA-105)
     * @throws SagaStoreException when the database cannot be asked (SAGA-601), or its answer was lost (SAGA-602): asking again is
     *     safe
     */
    Verdict turnBack(UUID sagaId, String why);
}
