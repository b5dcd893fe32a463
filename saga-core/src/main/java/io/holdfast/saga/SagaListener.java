package io.holdfast.saga;

/**
 * Hears every journal entry written by this node, after its commit; at most once, in the order of one saga, on the
 * thread that drives it. That a saga was started inside a transaction of the caller's is heard when this node first drives it,
 * since the transaction may be rolled back; if another node takes it up first, it is not heard. What it throws is logged and changes nothing. Must be threadsafe and quick.
 */
@FunctionalInterface
public interface SagaListener {
    /**
     * An entry was committed.
     *
     * @param saga the saga after the entry
     * @param entry what was written
     */
    void onEntry(SagaSnapshot saga, JournalEntry entry);
}
