package io.holdfast.saga.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.Direction;
import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.spi.NewEntry;
import io.holdfast.saga.spi.StoredEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final List<StoredEntry> journal = new ArrayList<>();

    private StoredEntry forward(Kind kind, String step) {
        return write(NewEntry.of(kind, step, Direction.FORWARD));
    }

    private StoredEntry backward(Kind kind, String step) {
        return write(NewEntry.of(kind, step, Direction.BACKWARD));
    }

    private StoredEntry write(NewEntry entry) {
        int seq = journal.size() + 1;
        StoredEntry stored = new StoredEntry(seq, START.plusSeconds(seq), 1, "node", entry);
        journal.add(stored);
        return stored;
    }

    private Progress progress() {
        return Progress.of(journal);
    }

    @Test
    void a_saga_without_entries_has_done_nothing() {
        assertThat(progress().isDone("a")).isFalse();
        assertThat(progress().result("a")).isNull();
        assertThat(progress().failures("a", Direction.FORWARD)).isZero();
        assertThat(progress().failure()).isNull();
        assertThat(progress().takenOverAt("a")).isNull();
    }

    @Test
    void a_step_is_done_with_its_result_or_without() {
        write(NewEntry.of(Kind.STEP_DONE, "a", Direction.FORWARD).result("7"));
        forward(Kind.STEP_DONE, "b");

        assertThat(progress().isDone("a")).isTrue();
        assertThat(progress().result("a")).isEqualTo("7");
        assertThat(progress().isDone("b")).isTrue();
        assertThat(progress().result("b")).isNull();
    }

    @Test
    void a_step_that_is_undone_was_done() {
        write(NewEntry.of(Kind.STEP_DONE, "a", Direction.FORWARD).result("7"));
        backward(Kind.STEP_UNDONE, "a");

        assertThat(progress().isDone("a")).isTrue();
        assertThat(progress().isUndone("a")).isTrue();
        assertThat(progress().result("a")).isEqualTo("7");
    }

    @Test
    void skipped_means_skipped_on_the_way_forward() {
        forward(Kind.STEP_SKIPPED, "a");
        backward(Kind.STEP_SKIPPED, "b");

        assertThat(progress().isSkipped("a")).isTrue();
        assertThat(progress().isSkipped("b")).isFalse();
    }

    @Test
    void doubt_is_kept_beside_a_later_rejection() {
        forward(Kind.STEP_FAILED, "a");
        forward(Kind.STEP_REJECTED, "a");
        forward(Kind.STEP_REJECTED, "b");

        assertThat(progress().isAttempted("a")).isTrue();
        assertThat(progress().isRejected("a")).isTrue();
        assertThat(progress().isAttempted("b")).isFalse();
        assertThat(progress().isRejected("b")).isTrue();
    }

    @Test
    void an_outcome_that_came_late_is_a_result_unless_the_step_has_one() {
        write(NewEntry.of(Kind.LATE, "a", Direction.BACKWARD).result("1"));
        write(NewEntry.of(Kind.LATE, "b", Direction.BACKWARD).error("it failed in the end"));
        write(NewEntry.of(Kind.STEP_DONE, "c", Direction.FORWARD).result("2"));
        write(NewEntry.of(Kind.LATE, "c", Direction.FORWARD).result("3"));

        assertThat(progress().isLate("a")).isTrue();
        assertThat(progress().isDone("a")).isFalse();
        assertThat(progress().result("a")).isEqualTo("1");
        assertThat(progress().isLate("b")).isFalse();
        assertThat(progress().result("c")).isEqualTo("2");
    }

    @Test
    void failures_are_counted_by_step_and_direction_since_an_operator_stepped_in() {
        forward(Kind.STEP_FAILED, "a");
        forward(Kind.STEP_FAILED, "a");
        forward(Kind.STEP_FAILED, "b");
        backward(Kind.COMPENSATION_FAILED, "a");
        assertThat(progress().failures("a", Direction.FORWARD)).isEqualTo(2);
        assertThat(progress().failures("a", Direction.BACKWARD)).isEqualTo(1);
        assertThat(progress().failures("b", Direction.BACKWARD)).isZero();

        backward(Kind.OPERATOR, "a");
        assertThat(progress().failures("a", Direction.FORWARD)).isZero();
        assertThat(progress().failures("a", Direction.BACKWARD)).isZero();
        assertThat(progress().isAttempted("a"))
                .as("doubt is not an operator's to clear")
                .isTrue();
    }

    @Test
    void the_failure_is_what_turned_it_back_or_got_it_stuck_last() {
        backward(Kind.TURNED_BACK, "b");
        StoredEntry stuck = backward(Kind.STUCK, "a");

        assertThat(progress().failure()).isEqualTo(stuck);
    }

    @Test
    void the_last_takeover_of_a_step_counts() {
        forward(Kind.TAKEN_OVER, "a");
        StoredEntry last = forward(Kind.TAKEN_OVER, "a");
        forward(Kind.TAKEN_OVER, "b");

        assertThat(progress().takenOverAt("a")).isEqualTo(last.at());
    }

    @Test
    void more_entries_make_another_progress_and_leave_this_one() {
        Progress before = progress();
        StoredEntry entry = forward(Kind.STEP_DONE, "a");

        assertThat(before.and(List.of(entry)).isDone("a")).isTrue();
        assertThat(before.isDone("a")).isFalse();
        assertThat(before.and(List.of())).isSameAs(before);
    }
}
