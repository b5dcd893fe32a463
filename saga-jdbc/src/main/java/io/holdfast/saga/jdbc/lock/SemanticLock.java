package io.holdfast.saga.jdbc.lock;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.ConcurrentSagaException;
import io.holdfast.saga.LockLostException;
import io.holdfast.saga.RetriableStep;
import io.holdfast.saga.RowUnavailableException;
import io.holdfast.saga.SagaDefinitionException;
import java.time.Duration;
import org.jooq.Condition;
import org.jooq.Field;

/**
 * Marks rows as pending, held by the saga until a deadline: no other saga claims them meanwhile, and readers can tell them from
 * settled ones. It is a mark in the row, not a database lock: no transaction stays open, it survives crashes, and it binds only
 * those who honour it. Made by {@link io.holdfast.saga.jdbc.JdbcSteps#lock}. Immutable and threadsafe; copies made by its setters
 * are the same lock, other objects are not.
 *
 * <p>Claiming sets status, holder and deadline in one statement that first locks the rows in the order of their ids. The
 * deadline is renewed while a node drives the saga, and asserted in the transaction that begins the pivot. A passed deadline does
 * not by itself free a row: its holder may have work to undo. It is taken over from a holder that is finished or unknown; a
 * holder whose node died is recovered first; any other holder keeps it. A saga that claims a row it holds already gets it
 * again, with the later deadline, and undoing that claim leaves the row alone.
 *
 * @param <D> the class of the steps' data
 */
public interface SemanticLock<D> {
    /**
     * The statuses that rows are taken from. Default: any but the pending one, and none (null).
     *
     * @param statuses at least one, each 1 to 200 characters, not blank
     * @return a new view of this lock
     * @throws SagaDefinitionException when a status is not valid, or the pending one (SAGA-123)
     */
    SemanticLock<D> from(String... statuses);

    /**
     * The status of a held row. Default: {@code PENDING}.
     *
     * @param status 1 to 200 characters, not blank, no status that rows are taken from
     * @return a new view of this lock
     * @throws SagaDefinitionException as {@link #from}
     */
    SemanticLock<D> pending(String status);

    /**
     * How long a claim holds, on the database's clock; renewed once half of it is gone while a node drives the saga. Default:
     * what is left of the saga's deadline; without one, 5 minutes.
     *
     * @param afterClaim 100 ms to 365 days
     * @return a new view of this lock
     * @throws SagaDefinitionException when null or out of range (SAGA-106, SAGA-104)
     */
    SemanticLock<D> deadline(Duration afterClaim);

    /**
     * A claim that finds a row held by another saga waits for it instead of failing at once: it claims nothing, and tries again
     * until this much time has passed since its step began. Waits are not counted as attempts. Against sagas that wait for each
     * other, the younger gives way (wait-die): one that holds rows already waits only for holders that were started after it, and
     * fails at once otherwise; one that holds no rows cannot be part of such a ring and waits for any. Default: no wait.
     *
     * @param atMost 10 ms to 365 days
     * @return a new view of this lock
     * @throws SagaDefinitionException when null or out of range (SAGA-106, SAGA-104)
     */
    SemanticLock<D> waiting(Duration atMost);

    /**
     * Lets a claim take a row whose deadline has passed from a saga that is still running and has not begun its pivot; that saga is
     * turned back in the same transaction. For locks whose deadline is a promise to others. Refused by {@code build()} where
     * the pivot is external.
     *
     * @return a new view of this lock
     */
    SemanticLock<D> takeOverExpired();

    /**
     * The former status of a row whose holder is finished or unknown, where that holder's journal does not say it and
     * {@link #from} names not exactly one. Without it such a row is refused as having the wrong status.
     *
     * @param status one of {@link #from}, if that was given, and not the pending one
     * @return a new view of this lock
     * @throws SagaDefinitionException as {@link #from}
     */
    SemanticLock<D> orphanedAs(String status);

    /**
     * What a release does when the saga does not hold the row any more. Default: {@link WhenLost#REFUSE}.
     *
     * @param policy never null
     * @return a new view of this lock
     * @throws SagaDefinitionException when null (SAGA-106)
     */
    SemanticLock<D> whenLost(WhenLost policy);

    /**
     * Takes the rows; undone by restoring their former statuses. The step fails with {@link ConcurrentSagaException} when
     * another saga holds one of them, and with {@link RowUnavailableException} when one is missing, has another status or
     * does not take the mark; in each case none is taken. Undoing touches only rows that the saga still holds.
     *
     * @param step the step's persisted name
     * @return a step for before the pivot
     * @throws SagaDefinitionException when the name is not valid (SAGA-101)
     */
    CompensatableStep<D> claim(String step);

    /**
     * Gives the rows back for good, with a final status. The step fails with {@link LockLostException} when the saga does not
     * hold one of them any more, see {@link #whenLost}. Rows that the saga holds through another lock stay with that one.
     *
     * @param step the step's persisted name
     * @param status 1 to 200 characters, not blank, not the pending one
     * @return a step for the pivot or after it
     * @throws SagaDefinitionException when the name (SAGA-101) or the status (SAGA-123) is not valid
     */
    RetriableStep<D> release(String step, String status);

    /**
     * Gives the rows back with the statuses they had before the claim, otherwise as {@link #release}.
     *
     * @param step the step's persisted name
     * @return a step for the pivot or after it
     * @throws SagaDefinitionException when the name is not valid (SAGA-101)
     */
    RetriableStep<D> releaseAsBefore(String step);

    /**
     * For readers: rows of the lock's table that are not in flight, that is, held by no saga and not in the pending status (which a row
     * keeps whose holder was removed by hand). A passed deadline does not settle a row. For a query of your own on the table under its own name:
     * {@code dsl.selectFrom(ORDERS).where(lock.settled())}.
     *
     * @return never null; columns are qualified with schema and table
     */
    Condition settled();

    /**
     * As {@link #settled()}, of the table under an alias.
     *
     * @param alias as it is, not quoted
     * @return never null
     * @throws SagaDefinitionException when the alias is not valid (SAGA-120)
     */
    Condition settledAs(String alias);

    /**
     * The opposite of {@link #settled()}, as a field, for readers who show all rows and flag those in flight.
     *
     * @return never null, and its value never is
     */
    Field<Boolean> inFlight();

    /**
     * A view that hides rows in flight. To be reviewed and put into a migration; the library never runs it. It shows the columns that the table
     * has when it is made.
     *
     * @param view its schema and name, or its name alone for one in schema {@code public}
     * @return plain SQL
     * @throws SagaDefinitionException when a name is not valid (SAGA-120)
     */
    String settledView(String... view);

    /**
     * A view that shows all rows, with one more column {@code in_flight}.
     *
     * @param view its schema and name, or its name alone for one in schema {@code public}
     * @return plain SQL
     * @throws SagaDefinitionException when a name is not valid (SAGA-120)
     */
    String flaggedView(String... view);
}
