package io.holdfast.saga;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** The running engine: starts sagas and drives them. Threadsafe. Close it at the end. */
public interface Sagas extends AutoCloseable {
    /**
     * Starts a saga, or finds the one that was started with this type and key. Durable before it returns; no step runs on
     * the calling thread. When no slot is free, the saga is stored and picked up later by whichever node has room.
     *
     * @param <D> the class of its data
     * @param type a registered type
     * @param businessKey what makes this saga the same saga when started again; 1 to 200 characters, not blank
     * @param data what its steps work on, never null
     * @return a handle to the saga, new or existing
     * @throws SagaUsageException when an argument is null, the key is not valid (SAGA-201), the type is not registered
     *     (SAGA-202) or the engine is closed (SAGA-205)
     * @throws PayloadException when the data cannot be stored (SAGA-501, SAGA-502); nothing was stored
     * @throws SagaConflictException when the key is taken by a saga with another identity (SAGA-210)
     * @throws SagaStoreException when the database cannot be asked (SAGA-601) or its answer was lost (SAGA-602): repeat
     *     the call with the same key
     */
    <D> SagaHandle start(SagaType<D> type, String businessKey, D data);

    /**
     * As {@link #start}, but drives the saga on the calling thread for as long as it need not wait, and then waits for its
     * end wherever that happens. A saga that exists already is only waited for. An interrupt of the calling thread fails the attempt
     * that runs, as any exception does; the saga is driven on all the same, then looked at once, and the flag is set again.
     *
     * @param <D> the class of its data
     * @param type a registered type
     * @param businessKey as for {@link #start}
     * @param data as for {@link #start}
     * @param atMost how long to wait after the calling thread has done what it could; attempts that run on the calling
     *     thread are bounded by their own timeouts
     * @return empty when the end has not come in time
     * @throws SagaException as {@link #start} and {@link SagaHandle#await}
     */
    <D> Optional<SagaOutcome> run(SagaType<D> type, String businessKey, D data, Duration atMost);

    /**
     * A handle by type and key. No input or output: the id follows from both.
     *
     * @param type the saga's type
     * @param businessKey its key
     * @return a handle, whether or not such a saga is there
     * @throws SagaUsageException when the key is not valid (SAGA-201)
     */
    SagaHandle handle(SagaType<?> type, String businessKey);

    /**
     * A handle by id.
     *
     * @param sagaId the id, never null
     * @return a handle, whether or not such a saga is there
     */
    SagaHandle handle(UUID sagaId);

    /**
     * Stops: takes no new work, lets running attempts end within the grace period, hands back what is between steps, and
     * leaves the leases of attempts that still run to expire, so that nothing is done twice. Repeated calls do nothing.
     */
    @Override
    void close();
}
