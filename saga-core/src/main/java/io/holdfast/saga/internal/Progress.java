package io.holdfast.saga.internal;

import io.holdfast.saga.Direction;
import io.holdfast.saga.JournalEntry;
import io.holdfast.saga.spi.StoredEntry;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a saga's journal says, digested: which steps are done with which result, undone, refused, late, and how often they
 * failed since an operator last stepped in. Immutable.
 */
public final class Progress {
    /** Of a saga without entries. */
    static final Progress NONE = new Progress();

    private final Map<String, @Nullable String> done = new HashMap<>();
    private final Set<String> undone = new HashSet<>();
    private final Set<String> skipped = new HashSet<>();
    private final Set<String> rejected = new HashSet<>();
    private final Set<String> attempted = new HashSet<>();
    private final Map<String, @Nullable String> late = new HashMap<>();
    private final Map<String, Integer> failures = new HashMap<>();
    private final Map<String, Integer> undoFailures = new HashMap<>();
    private final Map<String, Instant> takenOver = new HashMap<>();
    private @Nullable StoredEntry failure;

    private Progress() {}

    static Progress of(List<StoredEntry> journal) {
        return NONE.and(journal);
    }

    Progress and(List<StoredEntry> entries) {
        if (entries.isEmpty()) {
            return this;
        }
        Progress next = new Progress();
        next.done.putAll(done);
        next.undone.addAll(undone);
        next.skipped.addAll(skipped);
        next.rejected.addAll(rejected);
        next.attempted.addAll(attempted);
        next.late.putAll(late);
        next.failures.putAll(failures);
        next.undoFailures.putAll(undoFailures);
        next.takenOver.putAll(takenOver);
        next.failure = failure;
        entries.forEach(next::add);
        return next;
    }

    private void add(StoredEntry entry) {
        String step = entry.step().orElse("");
        switch (entry.kind()) {
            case STEP_DONE -> done.put(step, entry.result());
            case STEP_SKIPPED -> {
                if (entry.direction() == Direction.FORWARD) {
                    skipped.add(step);
                }
            }
            case STEP_FAILED -> {
                attempted.add(step);
                failures.merge(step, 1, Integer::sum);
            }
            case STEP_REJECTED -> rejected.add(step);
            case STEP_UNDONE -> undone.add(step);
            case COMPENSATION_FAILED -> undoFailures.merge(step, 1, Integer::sum);
            case TAKEN_OVER -> takenOver.put(step, entry.at());
            case LATE -> addLate(step, entry);
            case TURNED_BACK, STUCK -> failure = entry;
            case OPERATOR -> {
                failures.clear();
                undoFailures.clear();
            }
            case STARTED, PIVOT_BEGUN, PARKED, COMPLETED, COMPENSATED -> {}
        }
    }

    private void addLate(String step, StoredEntry entry) {
        if (entry.error().isEmpty()) {
            late.put(step, entry.result());
        }
    }

    /** Whether the step's action is recorded as done (it may be undone since). */
    boolean isDone(String step) {
        return done.containsKey(step);
    }

    boolean isUndone(String step) {
        return undone.contains(step);
    }

    boolean isSkipped(String step) {
        return skipped.contains(step);
    }

    boolean isRejected(String step) {
        return rejected.contains(step);
    }

    /** Whether a failed attempt of the step's action is recorded. */
    boolean isAttempted(String step) {
        return attempted.contains(step);
    }

    /** Whether the step's action turned out done after it had been given up. */
    boolean isLate(String step) {
        return late.containsKey(step);
    }

    /** The result of a step that is done; null for none. */
    @Nullable
    String doneResult(String step) {
        return done.get(step);
    }

    /** The recorded result of the step, also a late one; null for none. */
    @Nullable
    String result(String step) {
        return done.containsKey(step) ? done.get(step) : late.get(step);
    }

    /** Failed attempts of the step in a direction since an operator last stepped in. */
    int failures(String step, Direction direction) {
        return (direction == Direction.FORWARD ? failures : undoFailures).getOrDefault(step, 0);
    }

    /** When the saga was last taken over at this step, in whatever direction; null for never. */
    @Nullable
    Instant takenOverAt(String step) {
        return takenOver.get(step);
    }

    /** The entry that turned the saga back or got it stuck. */
    @Nullable
    JournalEntry failure() {
        return failure;
    }
}
