package io.holdfast.saga.spi;

import io.holdfast.saga.Direction;
import io.holdfast.saga.JournalEntry;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A journal entry as stored.
 *
 * @param seq its number
 * @param at when it was written
 * @param runSeq the fencing number
 * @param node who wrote it
 * @param entry what was written
 */
public record StoredEntry(long seq, Instant at, long runSeq, String node, NewEntry entry) implements JournalEntry {
    @Override
    public Kind kind() {
        return entry.kind();
    }

    @Override
    public Optional<String> step() {
        return Optional.ofNullable(entry.step());
    }

    @Override
    public Direction direction() {
        return entry.direction();
    }

    @Override
    public int attempt() {
        return entry.attempt();
    }

    @Override
    public Optional<String> note() {
        return Optional.ofNullable(entry.note());
    }

    @Override
    public Optional<String> error() {
        return Optional.ofNullable(entry.error());
    }

    /** {@return the result, JSON, or null} */
    public @Nullable String result() {
        return entry.result();
    }
}
