package io.holdfast.saga;

/**
 * Hears every journal entry written by this node, after its commit; at most once, in the order of one saga, on the
 * thread that drives it. What it throws is logged and changes nothing. Must be threadsafe and quick.
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
