package io.holdfast.saga.spi;

import io.holdfast.saga.SagaStoreException;
import io.holdfast.saga.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where sagas live. Every method that changes a saga is a compare-and-set; an empty answer means that somebody else was
 * faster and nothing was changed. Threadsafe. All methods throw {@link SagaStoreException}: STORE_UNAVAILABLE when nothing was
 * changed and the call may be repeated, OUTCOME_UNKNOWN when a change was sent and its answer lost. Time is the store's.
 */
public interface SagaStore {
    /**
     * Stores a saga that this node drives from the start: owner set, due after the lease, run_seq 1, a STARTED entry; or finds
     * the one that is there.
     *
     * @param saga what to store
     * @param owner the node's unique name
     * @param lease the length of the lease
     * @return new, or found
     */
    Insertion insertOwned(NewSaga saga, String owner, Duration lease);

    /**
     * Stores a saga that nobody drives yet: unowned, due now, run_seq 0, a STARTED entry; or finds the one that is there.
     *
     * @param saga what to store
     * @param node who stores it, for the journal
     * @param joined the caller's transaction, in which nothing but the insert (and, on a collision, a read) is issued; null for
     *     one of the store's own
     * @return new, or found
     */
    Insertion insertUnowned(NewSaga saga, String node, @Nullable StoreTransaction joined);

    /**
     * Reads a saga.
     *
     * @param sagaId its id
     * @return empty when there is none
     */
    Optional<StoredSaga> load(UUID sagaId);

    /**
     * Reads a saga's journal.
     *
     * @param sagaId its id
     * @return its entries in order; empty when there is none
     */
    List<StoredEntry> journal(UUID sagaId);

    /**
     * Applies a change where the guard matches, with its journal entries, in one statement.
     *
     * @param guard what must still be so
     * @param node who writes
     * @param change where it goes
     * @return empty when the guard matched nothing
     */
    Optional<Moved> move(Guard guard, String node, Change change);

    /**
     * Runs a local step: the work, then the guarded change it returns, in one transaction. The guard comes last. When it matches
     * nothing, the work is rolled back.
     *
     * @param guard what must still be so
     * @param node who writes
     * @param attempt the work
     * @return the committed change, or empty when the guard matched nothing
     * @throws Exception what the work threw, as it is, after a rollback; or the database's refusal to commit it
     * @throws SagaStoreException STORE_UNAVAILABLE when the database went away before the commit, OUTCOME_UNKNOWN when it went
     *     away during the commit
     */
    Optional<Applied> moveWith(Guard guard, String node, LocalAttempt attempt) throws Exception;

    /**
     * A committed local step.
     *
     * @param change the change that the work returned
     * @param moved what the store says about it
     */
    record Applied(Change change, Moved moved) {}

    /**
     * Settles a doubt: raises run_seq where it is still the caller's, which waits for or fences the transaction whose answer was
     * lost, and then reads.
     *
     * @param sagaId the saga
     * @param owner the caller
     * @param runSeq under which the caller drives it
     * @return the saga under its new run_seq; empty when it is not the caller's any more (or has ended)
     */
    Optional<StoredSaga> fence(UUID sagaId, String owner, long runSeq);

    /**
     * Claims due sagas: unowned and due, or owned with an expired lease. Ordered, SKIP LOCKED, types by turns, only of the given
     * definitions; never more than asked for. An expired one also gets a TAKEN_OVER entry, in the same statement.
     *
     * @param order what is wanted
     * @return what was claimed, possibly nothing
     */
    List<Claimed> claimDue(ClaimOrder order);

    /**
     * The same claim, narrowed to one saga.
     *
     * @param sagaId the saga
     * @param order as for {@link #claimDue}; its number is ignored
     * @return empty when it is not due, not known, or somebody else was faster
     */
    Optional<Claimed> claim(UUID sagaId, ClaimOrder order);

    /**
     * Turns a running saga back from any node, where its pivot is NONE. Of an owned one only state and direction change; an
     * unowned one also gets run_seq + 1, takeovers 0 and becomes due now.
     *
     * @param sagaId the saga
     * @param node who asks
     * @param reason why
     * @return APPLIED; else, from reading the row: ALREADY, UNDECIDED, TOO_LATE or NOT_FOUND
     */
    Verdict cancel(UUID sagaId, String node, String reason);

    /**
     * Appends an entry without changing anything else, for outcomes that come too late.
     *
     * @param sagaId the saga
     * @param node who writes
     * @param runSeq under which the attempt was made
     * @param entry what came
     */
    void append(UUID sagaId, String node, long runSeq, NewEntry entry);

    /**
     * An operator's action on a stuck saga: unowned, due now, run_seq + 1, attempts and takeovers 0, an OPERATOR entry.
     *
     * @param sagaId the saga
     * @param action what is asked
     * @param note who and why
     * @return APPLIED; else, from reading the row: ALREADY (it goes on already), TOO_LATE (ended, or the pivot forbids it) or
     *     NOT_FOUND
     */
    Verdict operate(UUID sagaId, OperatorAction action, String note);

    /** What an operator can ask of a stuck saga. */
    enum OperatorAction {
        /** Try again, in the direction it has. */
        RETRY,
        /** Undo; only while the pivot is NONE. */
        TURN_BACK
    }

    /**
     * Opens this node's heartbeat.
     *
     * @return to be closed by the caller
     */
    LeaseKeeper leaseKeeper();

    /**
     * An error as it is recorded: class, code of the database if any, message; without what may hold data (a server's DETAIL).
     * Need not be fit to be stored, the engine sees to that.
     *
     * @param error any error
     * @return its text
     */
    String describe(Throwable error);
}
