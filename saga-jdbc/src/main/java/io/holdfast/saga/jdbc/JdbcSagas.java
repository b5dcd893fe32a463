package io.holdfast.saga.jdbc;

import io.holdfast.saga.SagaConflictException;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaListener;
import io.holdfast.saga.SagaStoreException;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.Sagas;
import io.holdfast.saga.jdbc.admin.SagaAdmin;
import io.holdfast.saga.jdbc.audit.SagaAudit;
import io.holdfast.saga.jdbc.internal.SagasBuilder;
import io.holdfast.saga.jdbc.reaper.Reaper;
import io.holdfast.saga.jdbc.reservation.Reservations;
import io.holdfast.saga.spi.PayloadCodec;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.quartz.Scheduler;

/**
 * Sagas on PostgreSQL: one engine of one node. Make one per application and database, with every definition, and close it at
 * the end; nodes that know different definitions work side by side. Threadsafe.
 *
 * <p>Needs the tables of {@link Schema}. Takes at most one connection at a time for each saga that is being driven, and none
 * between steps or during external ones; one more for the heartbeat from the first owned saga to the last; and one now and then for the
 * reaper and for calls like {@link #start}. A pool for it therefore has at least {@code capacity + 2} connections, apart from those
 * that the application takes inside its steps.
 */
public interface JdbcSagas extends Sagas {
    /**
     * Begins to configure an engine.
     *
     * @param dataSource hands out connections of the library's own, with whatever autocommit mode and isolation; usually a pool. Never one
     *     that hands out the connection of a transaction in progress (Spring's {@code TransactionAwareDataSourceProxy}): for
     *     that there is {@link #startIn(Connection, SagaType, String, Object)}
     * @return a builder
     * @throws SagaDefinitionException when it is null (SAGA-106)
     */
    static Builder builder(DataSource dataSource) {
        return new SagasBuilder(dataSource);
    }

    /**
     * Starts a saga within the caller's transaction: it exists if that commits, and runs after it, on whatever node looks first. Nothing but the
     * insert is issued there (and, when the key is taken, a read): no commit, no rollback, no setting is changed.
     *
     * @param <D> the class of its data
     * @param transaction jOOQ in a transaction, as in {@code dsl.transactionResult(tx -> sagas.startIn(tx.dsl(), …))}
     * @param type a registered type
     * @param businessKey as for {@link Sagas#start}
     * @param data as for {@link Sagas#start}
     * @return a handle; before the commit nobody else sees the saga
     * @throws SagaUsageException as {@link Sagas#start}; when there is no transaction, or it is read-only or has failed
     *     (SAGA-206); or, above READ COMMITTED, when another transaction started a saga with this key at the same time (SAGA-207:
     *     roll back and run your transaction again)
     * @throws io.holdfast.saga.PayloadException as {@link Sagas#start}
     * @throws SagaConflictException as {@link Sagas#start}
     * @throws SagaStoreException when the database went away (SAGA-601)
     */
    <D> SagaHandle startIn(DSLContext transaction, SagaType<D> type, String businessKey, D data);

    /**
     * As {@link #startIn(DSLContext, SagaType, String, Object)}, with plain JDBC.
     *
     * @param <D> the class of its data
     * @param transaction a connection with autocommit off; it stays open, and its settings as they are
     * @param type a registered type
     * @param businessKey as for {@link Sagas#start}
     * @param data as for {@link Sagas#start}
     * @return a handle; before the commit nobody else sees the saga
     * @throws io.holdfast.saga.SagaException as {@link #startIn(DSLContext, SagaType, String, Object)}
     */
    <D> SagaHandle startIn(Connection transaction, SagaType<D> type, String businessKey, D data);

    /** {@return what is available of resources that sagas reserve} */
    Reservations reservations();

    /** {@return this node's reaper: ticks by itself, says when it last did} */
    Reaper reaper();

    /** {@return what auditors read} */
    SagaAudit audit();

    /**
     * What operators can do.
     *
     * @param operator who acts, for the journal: 1 to 100 letters, digits, dots, dashes and underscores, beginning with a letter
     *     or digit
     * @return actions under that name
     * @throws SagaDefinitionException when the name is not valid (SAGA-101, SAGA-106)
     */
    SagaAdmin admin(String operator);

    /**
     * Stops the reaper, then the engine: takes no new work, lets running attempts end within {@link Builder#closeGrace}, hands back
     * what is between steps, leaves the leases of attempts that still run to expire, and stops the heartbeat last. From any
     * thread; repeated calls do nothing. The DataSource, executor and scheduler that were given stay open.
     */
    @Override
    void close();

    /** Configures an engine. Mutable, not threadsafe; each method returns this. */
    interface Builder {
        /**
         * Adds a definition. At least one is needed to start sagas; without any, the engine can audit and act for operators.
         *
         * @param definition never null
         * @return this
         * @throws SagaDefinitionException when it is null (SAGA-106), or one of the same type and version was added before
         *     (SAGA-118)
         */
        Builder register(SagaDefinition<?> definition);

        /**
         * Adds a listener.
         *
         * @param listener never null
         * @return this
         * @throws SagaDefinitionException when it is null (SAGA-106)
         */
        Builder listener(SagaListener listener);

        /**
         * Where the saga tables are. Default: {@value Schema#DEFAULT_NAME}.
         *
         * @param name the name as it is, not quoted
         * @return this
         * @throws SagaDefinitionException when it is not a name PostgreSQL keeps whole (SAGA-101, SAGA-106)
         */
        Builder schema(String name);

        /**
         * The name of this node in rows and journals; a part that is unique to the engine is added to it, so two nodes of one name are
         * no fault. Default: the environment variable HOSTNAME, or {@code node}.
         *
         * @param name 1 to 100 letters, digits, dots, dashes and underscores, beginning with a letter or digit
         * @return this
         * @throws SagaDefinitionException when it is not (SAGA-101, SAGA-106)
         */
        Builder nodeName(String name);

        /**
         * Where sagas run, instead of daemon threads of the engine's own: an executor of virtual threads, say. It must run each task on
         * another thread than the caller's, and have as many threads as there are slots.
         *
         * @param executor not closed by the engine
         * @param capacity as for {@link #capacity}
         * @return this
         * @throws SagaDefinitionException when the executor is null (SAGA-106), or the capacity out of its range (SAGA-105)
         */
        Builder executor(Executor executor, int capacity);

        /**
         * How many sagas this node drives at once. What does not fit is stored, and taken up when a slot is free. Default: 16.
         *
         * @param sagas from 1 to 10,000
         * @return this
         * @throws SagaDefinitionException when it is out of this range (SAGA-105)
         */
        Builder capacity(int sagas);

        /**
         * How long this node may drive a saga without a word; renewed at a third of it. When a node dies, its sagas are taken
         * over after this at the latest; when the database cannot be reached for so long, a node stops what it does.
         * Default: 30 s.
         *
         * @param lease from 100 ms to 1 h
         * @return this
         * @throws SagaDefinitionException when it is out of this range (SAGA-104, SAGA-106)
         */
        Builder lease(Duration lease);

        /**
         * How often the reaper looks for due sagas. Default: 5 s.
         *
         * @param interval from 10 ms to 1 h
         * @return this
         * @throws SagaDefinitionException when it is out of this range (SAGA-104, SAGA-106)
         */
        Builder reapEvery(Duration interval);

        /**
         * Whose threads make the reaper tick, instead of a Quartz scheduler of the engine's own: it gets one job, named after this node, in the
         * group {@code holdfast}, which {@link JdbcSagas#close} removes. The scheduler is neither started nor shut down.
         *
         * @param scheduler with its jobs in memory
         * @return this
         * @throws SagaDefinitionException when it is null (SAGA-106), shut down, or keeps its jobs elsewhere than in memory
         *     (SAGA-121)
         */
        Builder scheduler(Scheduler scheduler);

        /**
         * How data and results are written. Default: {@link JacksonCodec#standard()}.
         *
         * @param codec never null
         * @return this
         * @throws SagaDefinitionException when it is null (SAGA-106)
         */
        Builder codec(PayloadCodec codec);

        /**
         * Where the heartbeat takes its connection, so that it never waits for a connection behind the sagas whose leases it
         * renews. Default: the same DataSource.
         *
         * @param dataSource of the same database; one without a pool will do
         * @return this
         * @throws SagaDefinitionException when it is null (SAGA-106)
         */
        Builder heartbeatDataSource(DataSource dataSource);

        /**
         * How long {@link JdbcSagas#close} lets running attempts end. Default: 10 s.
         *
         * @param grace from zero to 1 h
         * @return this
         * @throws SagaDefinitionException when it is out of this range (SAGA-104, SAGA-106)
         */
        Builder closeGrace(Duration grace);

        /**
         * The longest JSON of data or of a result. Default: 1,048,576.
         *
         * @param chars from 1 to 64,000,000; longer ones are refused (SAGA-502)
         * @return this
         * @throws SagaDefinitionException when it is out of this range (SAGA-105)
         */
        Builder maxPayloadChars(int chars);

        /**
         * Checks the saga tables, the business tables of the definitions and the server, then begins to keep leases and to
         * reap. Warns in the log where the pool is too small or a setting of the server weakens what the library promises.
         *
         * @return a running engine
         * @throws SagaDefinitionException when the saga tables are missing or too old (SAGA-122), a business table is not as its
         *     definitions need it (SAGA-120), the server is older than PostgreSQL 13 or the scheduler refuses the reaper's
         *     job (SAGA-121)
         * @throws SagaStoreException when the database cannot be reached (SAGA-601)
         */
        JdbcSagas build();
    }
}
