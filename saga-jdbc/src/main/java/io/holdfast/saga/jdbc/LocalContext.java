package io.holdfast.saga.jdbc;

import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.StepContext;
import org.jooq.DSLContext;

/**
 * What a local step knows, with the transaction it runs in. Valid during the call only.
 *
 * @param <D> the class of the step's data
 */
public interface LocalContext<D> extends StepContext<D> {
    /**
     * Bound to the step's transaction: what it writes commits together with the journal entry and the saga's next step, or not at
     * all; so it must neither commit nor roll back. Work done through any other connection is no part of this, and may wait for
     * rows that this transaction has locked. A step whose saga was taken over by another node is rolled back as a whole.
     *
     * @return never null
     * @throws SagaUsageException when the call has ended (SAGA-204), or there is no database, in a unit test in memory (SAGA-208)
     */
    DSLContext dsl();
}
