package io.holdfast.saga.memory;

import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaListener;
import io.holdfast.saga.SagaOutcome;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.Sagas;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.spi.PayloadCodec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Sagas without a database, in virtual time, for unit tests of definitions: the same engine, over a store that forgets. Nothing runs
 * by itself and no thread is started: {@link #advance} runs on the calling thread what is due, and waiting for a saga lets the
 * virtual time pass. Locks and the library's other steps on a database just succeed; local steps of yours need a stub.
 * Compensations of external steps run as they are written, those of local steps do nothing.
 *
 * <p>Threadsafe; one thread at a time runs sagas. What only a database can show (rows held by others, lost leases, a killed
 * process) is not shown here.
 */
public interface InMemorySagas extends Sagas {
    /** {@return a builder without definitions} */
    static Builder builder() {
        return new InMemoryBuilder();
    }

    /**
     * Lets virtual time pass and runs what is due now and becomes due on the way, in its order. Called by a step, it means that
     * the step takes so long: timeouts come, and what else becomes due runs after the step.
     *
     * @param time zero (run what is due now) to 3650 days
     * @throws SagaUsageException when the time is null (SAGA-106) or out of range (SAGA-104), or this is closed (SAGA-205)
     */
    void advance(Duration time);

    /**
     * What was done and undone.
     *
     * @param saga a handle of these sagas
     * @return the names of done steps and, with a leading {@code "undo "}, of undone ones, in order; empty when no such saga is
     *     there
     */
    List<String> trace(SagaHandle saga);

    /**
     * As {@link Sagas#start}; the saga runs with the next {@link #advance}.
     *
     * @param <D> the class of its data
     * @param type a registered type
     * @param businessKey its key
     * @param data what its steps work on, never null
     * @return a handle, whose {@link SagaHandle#await} lets virtual time pass
     */
    @Override
    <D> SagaHandle start(SagaType<D> type, String businessKey, D data);

    /**
     * Starts a saga, runs what is due, and then lets virtual time pass until the saga has come to an end.
     *
     * @param <D> the class of its data
     * @param type a registered type
     * @param businessKey its key
     * @param data what its steps work on, never null
     * @param atMost how much virtual time may pass
     * @return empty when the end has not come by then
     */
    @Override
    <D> Optional<SagaOutcome> run(SagaType<D> type, String businessKey, D data, Duration atMost);

    /** Collects definitions and stubs. Mutable, not threadsafe. */
    interface Builder {
        /**
         * Registers a definition.
         *
         * @param definition made by the library, never null
         * @return this
         * @throws SagaDefinitionException when null (SAGA-106), not made by the library (SAGA-112), or its type is registered
         *     already (SAGA-118)
         */
        Builder register(SagaDefinition<?> definition);

        /**
         * Adds a listener. It hears entries on the thread that runs the saga.
         *
         * @param listener never null
         * @return this
         * @throws SagaDefinitionException when null (SAGA-106)
         */
        Builder listener(SagaListener listener);

        /**
         * Replaces the action of a step without a result: it does nothing.
         *
         * @param step the step's name
         * @return this
         * @throws SagaDefinitionException when the name is null (SAGA-106) or not valid (SAGA-101)
         */
        Builder stub(String step);

        /**
         * Replaces the action of a step: it returns this result.
         *
         * @param <R> the class of the result
         * @param step the step's key
         * @param result never null
         * @return this
         * @throws SagaDefinitionException when an argument is null (SAGA-106)
         */
        <R> Builder stub(StepKey<R> step, R result);

        /**
         * Replaces the action of a step: every attempt fails.
         *
         * @param step the step's name
         * @param with what each attempt throws, never null
         * @return this
         * @throws SagaDefinitionException when an argument is null (SAGA-106) or the name is not valid (SAGA-101)
         */
        Builder fail(String step, Exception with);

        /**
         * Sets how data and results are written, to try that too. Default: they are not written, the objects themselves are kept,
         * and identities are compared by {@code equals}.
         *
         * @param codec never null
         * @return this
         * @throws SagaDefinitionException when null (SAGA-106)
         */
        Builder codec(PayloadCodec codec);

        /**
         * Makes the sagas.
         *
         * @return to be closed, as all sagas; forgetting to is harmless here
         * @throws SagaUsageException when a local step has no stub, or one without its result (SAGA-208), or a stub has no step
         *     (SAGA-209)
         */
        InMemorySagas build();
    }
}
