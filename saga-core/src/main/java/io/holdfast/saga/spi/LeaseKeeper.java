package io.holdfast.saga.spi;

import io.holdfast.saga.SagaState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A node's heartbeat towards the store: renews leases and the deadlines of held rows, on a connection of its own that it takes
 * at the first renewal and gives back with {@link #rest()}. Used by one thread at a time.
 */
public interface LeaseKeeper extends AutoCloseable {
    /**
     * Renews leases: due_at becomes the database's clock plus the lease, guarded by saga, run_seq, owner and an unfinished state.
     *
     * @param runSeqs sagas and the run_seq under which they are driven
     * @param lease the length
     * @return the state of each saga whose lease was renewed; one that is missing was lost, parked or ended meanwhile
     */
    Map<UUID, SagaState> renew(Map<UUID, Long> runSeqs, Duration lease);

    /**
     * Extends the deadlines of held business rows, table by table in key order, skipping locked rows, in autocommit, and only rows
     * below half of their duration. From the moment on at which the first of the leases renewed last has ended, by the store's clock,
     * nothing is extended: a node may freeze between the two calls, and others drive its sagas then.
     *
     * @param holdings what the sagas hold whose leases were just renewed
     */
    void extend(List<Holding> holdings);

    /** Gives the connection back until it is needed again. */
    void rest();

    @Override
    void close();
}
