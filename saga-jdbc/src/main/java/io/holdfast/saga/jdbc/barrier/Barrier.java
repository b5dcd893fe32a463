package io.holdfast.saga.jdbc.barrier;

import io.holdfast.saga.PayloadException;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaStoreException;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.jdbc.internal.barrier.BarrierTable;
import io.holdfast.saga.jdbc.internal.barrier.TableBarrier;
import io.holdfast.saga.spi.PayloadCodec;
import java.sql.Connection;
import java.time.Duration;
import javax.sql.DataSource;
import org.jooq.DSLContext;

/**
 * For a participant in another service, with a database of its own, that receives a saga's calls: twice, late, or the undo before (or without)
 * the action. The barrier remembers in the participant's own transaction what it answered, so that an action and its undo each take effect
 * at most once, and the action never after the undo. It needs nothing of the saga's database. Got by {@link #in}; immutable and threadsafe.
 *
 * <p>How a call is decided, with one row per action:
 * <ol>
 *   <li>An action inserts the row. It did: the work runs (RAN). It is there: the action ran before (REPLAYED), or was undone (LATE).
 *   <li>An undo inserts the row as well. It did: there was no action, which is remembered (EMPTY). It is there: it is marked as undone, and the
 *       undo's work runs (RAN); or it was undone before (REPLAYED), or never done (EMPTY).
 *   <li>Who meets another call of the same action, in a transaction that has not ended, waits for it at the primary key, and is then
 *       answered rightly.
 * </ol>
 *
 * <p>Call it first in the transaction: who waits at the barrier should hold nothing that others need. Commit also after EMPTY, or nothing is
 * remembered.
 */
public interface Barrier {
    /**
     * A barrier with the standard JSON codec. The database is not asked.
     *
     * @param schemaName where the table {@code saga_barrier} is: the schema's name as it is, not quoted; 1 to 63 bytes
     * @return the barrier
     * @throws SagaDefinitionException when the name is null (SAGA-106) or not valid (SAGA-101)
     */
    static Barrier in(String schemaName) {
        return TableBarrier.in(schemaName);
    }

    /**
     * The DDL of the table, for your own migrations. No input or output. It can be run again.
     *
     * @param schemaName the schema's name as it is, not quoted; 1 to 63 bytes
     * @return SQL text, statements ended by semicolons
     * @throws SagaDefinitionException when the name is null (SAGA-106) or not valid (SAGA-101)
     */
    static String ddl(String schemaName) {
        return BarrierTable.in(schemaName).ddl();
    }

    /**
     * Creates schema and table where they are missing, in one transaction. When several nodes call it at once, one applies and the others wait
     * for it. The connection goes back with the autocommit mode it came with.
     *
     * @param dataSource where; its user must be allowed to create tables (and the schema, where it is not there)
     * @param schemaName the schema's name as it is, not quoted; 1 to 63 bytes
     * @throws SagaDefinitionException when an argument is null (SAGA-106), the name is not valid (SAGA-101) or the server refuses
     *     the DDL (SAGA-122); nothing was applied
     * @throws SagaStoreException when the database cannot be reached (SAGA-601): repeat the call
     */
    static void migrate(DataSource dataSource, String schemaName) {
        BarrierTable.in(schemaName).migrate(dataSource);
    }

    /**
     * How results are stored. Default: {@link io.holdfast.saga.jdbc.JacksonCodec#standard()}.
     *
     * @param codec must be threadsafe
     * @return a new barrier on the same table
     * @throws SagaDefinitionException when it is null (SAGA-106)
     */
    Barrier codec(PayloadCodec codec);

    /**
     * Lets a call through, once. Work that throws ends this call with its own exception: roll the transaction back, and row and change vanish
     * together; a call that is delivered again then runs. A transaction in which a statement has failed is never gone on with.
     *
     * @param <R> the class of the result
     * @param <X> what the work may throw
     * @param transaction jOOQ in a transaction, as in {@code dsl.transactionResult(tx -> barrier.guard(tx.dsl(), …))}; it is not ended,
     *     and its settings stay as they are. All its statements must go to that one transaction: a context on a pool without autocommit, which
     *     takes another connection for each statement, keeps nothing
     * @param call which call has arrived
     * @param resultClass a class without type parameters; {@code Void.class} for work without a result. An undo's result is its own
     * @param work the change; runs only when the answer is RAN
     * @return what became of the call
     * @throws X what the work throws
     * @throws SagaUsageException when an argument is null (SAGA-106); when there is no transaction, it is read-only, has failed, or the work
     *     ended it (SAGA-206); or, above READ COMMITTED, when another transaction was faster with a call of the same action, or this one was the
     *     victim of a deadlock (SAGA-207: roll back and run your transaction again)
     * @throws PayloadException when the work returns null for a class (SAGA-303); when its result cannot be stored or is too large (SAGA-501,
     *     SAGA-502); when what is stored is not of that class (SAGA-503)
     * @throws SagaDefinitionException when the result class cannot be stored (SAGA-103) or the table is missing (SAGA-122)
     * @throws SagaStoreException when the database went away (SAGA-601)
     */
    <R, X extends Exception> Passage<R> guard(
            DSLContext transaction, BarrierCall call, Class<R> resultClass, GuardedWork<DSLContext, R, X> work)
            throws X;

    /**
     * As {@link #guard}, with plain JDBC.
     *
     * @param <R> the class of the result
     * @param <X> what the work may throw
     * @param transaction a connection with autocommit off; it stays open, and its settings as they are
     * @param call which call has arrived
     * @param resultClass as for {@link #guard}
     * @param work the change; runs only when the answer is RAN
     * @return what became of the call
     * @throws X what the work throws
     * @throws io.holdfast.saga.SagaException as {@link #guard}
     */
    <R, X extends Exception> Passage<R> guardJdbc(
            Connection transaction, BarrierCall call, Class<R> resultClass, GuardedWork<Connection, R, X> work)
            throws X;

    /**
     * Forgets what was last decided long ago, by the database's clock, in batches that commit by themselves. Rows that are being written are
     * left for the next time; several nodes may purge at once.
     *
     * <p>What is forgotten is not protected any more: a repeated action runs again, and so does an action that comes after its undo. So the
     * age must be greater than the longest life of a saga, including the time it may be stuck and wait for an operator, and the longest time a
     * call can be delayed by queues, proxies and clients that retry.
     *
     * @param dataSource where
     * @param olderThan how long a row must have been unchanged: 1 hour to 36500 days
     * @return how many rows were removed
     * @throws SagaDefinitionException when an argument is null (SAGA-106), the age is out of range (SAGA-104), or the table is missing or not
     *     accessible (SAGA-122)
     * @throws SagaStoreException when the database cannot be reached (SAGA-601): what was committed stays removed, repeat the call
     */
    long purge(DataSource dataSource, Duration olderThan);
}
