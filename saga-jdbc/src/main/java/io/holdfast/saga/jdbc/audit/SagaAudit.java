package io.holdfast.saga.jdbc.audit;

import io.holdfast.saga.JournalEntry;
import io.holdfast.saga.SagaSnapshot;
import io.holdfast.saga.SagaStoreException;
import io.holdfast.saga.SagaUsageException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Reads sagas, for auditors and consoles; what it says is also in the views of the schema ({@code saga_open}, {@code saga_stuck},
 * {@code saga_timeline}, {@code saga_locks}, {@code saga_waits}). Every method is one SELECT on a connection from the pool,
 * never reads data or results, and throws {@link SagaStoreException} when the database cannot be asked (SAGA-601) and {@link
 * SagaUsageException} when its argument is null (SAGA-106). Get it from {@code JdbcSagas.audit()}; works after close too.
 * Threadsafe.
 */
public interface SagaAudit {
    /**
     * A saga's row.
     *
     * @param sagaId its id
     * @return empty when there is none
     */
    Optional<SagaSnapshot> find(UUID sagaId);

    /**
     * The sagas that a query describes, the oldest first.
     *
     * @param query which, and how many
     * @return at most so many; fewer mean that there are no more for now
     */
    List<SagaSnapshot> find(SagaQuery query);

    /**
     * A saga's journal.
     *
     * @param sagaId its id
     * @return in order; empty when there is none
     */
    List<JournalEntry> timeline(UUID sagaId);

    /**
     * The business rows that a saga holds, as its journal says.
     *
     * @param sagaId its id
     * @return in the order in which they were claimed; empty for a saga that has ended
     */
    List<HeldRow> locksHeld(UUID sagaId);

    /**
     * A row that a saga holds.
     *
     * @param table its table, quoted as in SQL
     * @param rowId its key as the database prints it; a JSON array where the key has several columns
     * @param formerStatus what undoing restores; empty where the status was null
     * @param claimedBy the step that took it
     * @param claimedAt when, by the database's clock
     */
    record HeldRow(String table, String rowId, Optional<String> formerStatus, String claimedBy, Instant claimedAt) {}
}
