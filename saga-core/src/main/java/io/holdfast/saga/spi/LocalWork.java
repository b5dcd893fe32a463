package io.holdfast.saga.spi;

/** The work of a local step, run inside the store's transaction, which ends with the change that it returns. */
@FunctionalInterface
public interface LocalWork {
    /**
     * Works. May be called again from the start when the database rolled the transaction back (40001, 40P01).
     *
     * @param transaction the open transaction
     * @return the change that is guarded and committed together with the work
     * @throws Exception any failure: the transaction is rolled back and the exception passed on as it is
     */
    Change run(StoreTransaction transaction) throws Exception;
}
