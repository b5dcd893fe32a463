package io.holdfast.saga.spi;

import java.time.Instant;

/**
 * A change was committed.
 *
 * @param logSeq the number of its last journal entry (or of the last one before, where it had none)
 * @param at the database's clock
 */
public record Moved(long logSeq, Instant at) {}
