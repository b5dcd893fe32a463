package io.holdfast.saga.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.Direction;
import io.holdfast.saga.JournalEntry;
import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.SagaOutcome;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.StepRejectedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BackwardTest extends InVirtualTime {
    private static final StepKey<Integer> NUMBER = StepKey.of("number", Integer.class);

    private final List<String> known = new ArrayList<>();

    @AfterEach
    void soundJournal() {
        assertJournalIsSound();
    }

    private CompensatableStep<String> rejected(String name) {
        return undoable(name, failing(name, new StepRejectedException("declined")));
    }

    @Test
    @DisplayName("B25: what was done is undone in reverse order, the rejected step is not undone")
    void undone_in_reverse_order() {
        SagaOutcome outcome = run(saga().step(step("s1"))
                .step(step("s2"))
                .step(step("s3"))
                .step(step("s4"))
                .step(rejected("s5"))
                .build());

        assertThat(outcome.state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(effects).containsExactly("s1", "s2", "s3", "s4", "s5", "undo s4", "undo s3", "undo s2", "undo s1");
        assertThat(outcome.failure().orElseThrow().kind()).isEqualTo(Kind.TURNED_BACK);
        assertThat(outcome.failure().orElseThrow().error().orElseThrow()).contains("declined");
    }

    @Test
    void the_direction_is_in_the_journal_before_the_first_undo() {
        run(saga().step(step("a")).step(rejected("b")).build());

        assertThat(kinds())
                .containsExactly(
                        Kind.STARTED,
                        Kind.STEP_DONE,
                        Kind.STEP_REJECTED,
                        Kind.TURNED_BACK,
                        Kind.STEP_UNDONE,
                        Kind.COMPENSATED);
        assertThat(entries(Kind.TURNED_BACK))
                .extracting(JournalEntry::direction)
                .containsExactly(Direction.BACKWARD);
    }

    @Test
    @DisplayName("B32: where nothing was done there is nothing to undo")
    void a_first_step_that_is_rejected_leaves_nothing_to_undo() {
        assertThat(endOf(saga().step(rejected("a")).step(step("b")).build())).isEqualTo(SagaState.COMPENSATED);

        assertThat(effects).containsExactly("a");
    }

    @Test
    void an_exception_named_as_a_rejection_is_one_with_its_subclasses() {
        run(saga().step(external("a", failing("a", new UncheckedIOException(new IOException("closed"))))
                        .rejectedOn(RuntimeException.class)
                        .compensatedBy((ctx, result) -> effects.add("undo a")))
                .build());

        assertThat(effects).containsExactly("a");
    }

    private CompensatableStep<String> number(Exception failure) {
        return steps.external(NUMBER, ctx -> {
                    effects.add("number");
                    throw failure;
                })
                .compensatedBy((ctx, result) ->
                        known.add(result + " " + ctx.actionKey().length()))
                .retry(every(MINUTE, 2));
    }

    @Test
    @DisplayName("B26: a step whose outcome is in doubt is undone, and its compensation told so")
    void doubt_is_undone_by_key() {
        assertThat(endOf(
                        saga().step(number(new IOException("connection reset"))).build()))
                .isEqualTo(SagaState.COMPENSATED);

        assertThat(effects).containsExactly("number", "number");
        assertThat(known).containsExactly(Optional.empty() + " 40");
    }

    @Test
    @DisplayName("B26: an attempt that timed out is in doubt as well")
    void a_timeout_is_doubt() {
        List<String> keys = new ArrayList<>();
        run(saga().step(external("a", ctx -> {
                            keys.add(ctx.idempotencyKey());
                            advance(Duration.ofSeconds(6));
                        })
                        .timeout(Duration.ofSeconds(5))
                        .compensatedBy((ctx, result) -> {
                            keys.add(ctx.actionKey());
                            assertThat(ctx.idempotencyKey()).isNotEqualTo(ctx.actionKey());
                        })
                        .retry(every(MINUTE, 1)))
                .build());

        assertThat(snapshot().state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(keys).hasSize(2);
        assertThat(keys.get(0)).as("the compensation can name the call").isEqualTo(keys.get(1));
    }

    @Test
    @DisplayName("B26: surely not done is not undone")
    void a_rejection_is_no_doubt() {
        run(saga().step(number(new StepRejectedException("declined"))).build());

        assertThat(effects).containsExactly("number");
        assertThat(known).isEmpty();
    }

    @Test
    @DisplayName("B26: doubt is settled by nothing but an answer of the participant for this key")
    void a_rejection_settles_doubt_and_another_failure_does_not() {
        run(saga().step(external("a", ctx -> {
                            throw ctx.attempt() == 1 ? new IOException("reset") : new StepRejectedException("declined");
                        })
                        .compensatedBy((ctx, result) -> known.add("undo a"))
                        .retry(every(MINUTE, 2)))
                .build());

        assertThat(entries(Kind.STEP_FAILED)).hasSize(1);
        assertThat(entries(Kind.STEP_REJECTED)).hasSize(1);
        assertThat(known).isEmpty();
    }

    @Test
    @DisplayName("B37: a compensation is given the recorded result")
    void a_compensation_gets_the_result() {
        run(saga().step(steps.external(NUMBER, ctx -> 7)
                        .compensatedBy((ctx, result) ->
                                known.add(result.map(String::valueOf).orElse("none"))))
                .step(rejected("b"))
                .build());

        assertThat(known).containsExactly("7");
    }

    @Test
    void settled_first_asks_again_with_the_same_key_until_it_knows() {
        List<String> keys = new ArrayList<>();
        run(saga().step(steps.external(NUMBER, ctx -> {
                            keys.add(ctx.idempotencyKey());
                            if (keys.size() < 4) {
                                throw new IOException("connection reset");
                            }
                            return 7;
                        })
                        .settledAndCompensatedBy((ctx, result) -> known.add("undo " + result))
                        .retry(every(MINUTE, 2))
                        .compensationRetry(every(MINUTE, 9)))
                .build());

        assertThat(snapshot().state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(keys).hasSize(4).containsOnly(keys.get(0));
        assertThat(known).containsExactly("undo 7");
    }

    @Test
    void settled_first_that_turns_out_rejected_is_not_undone() {
        List<Integer> calls = new ArrayList<>();
        run(saga().step(steps.external(NUMBER, ctx -> {
                            calls.add(calls.size());
                            throw calls.size() < 3 ? new IOException("reset") : new StepRejectedException("declined");
                        })
                        .settledAndCompensatedBy((ctx, result) -> known.add("undo"))
                        .retry(every(MINUTE, 2))
                        .compensationRetry(every(MINUTE, 9)))
                .build());

        assertThat(snapshot().state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(calls).hasSize(3);
        assertThat(known).isEmpty();
    }

    private CompensatableStep<String> undoFails(String name, int times) {
        return external(name)
                .compensatedBy((ctx, result) -> {
                    effects.add("undo " + name);
                    if (ctx.attempt() <= times) {
                        throw new IllegalStateException("undo failed");
                    }
                })
                .compensationRetry(every(MINUTE, 3));
    }

    @Test
    @DisplayName("B28: a compensation that fails twice is tried a third time, and then the others come")
    void an_undo_is_tried_again() {
        assertThat(endOf(saga().step(step("s1"))
                        .step(undoFails("s2", 2))
                        .step(step("s3"))
                        .step(rejected("s4"))
                        .build()))
                .isEqualTo(SagaState.COMPENSATED);

        assertThat(effects.subList(4, effects.size()))
                .containsExactly("undo s3", "undo s2", "undo s2", "undo s2", "undo s1");
        assertThat(entries(Kind.COMPENSATION_FAILED)).hasSize(2);
    }

    @Test
    @DisplayName("B28: a compensation that fails for good leaves the saga stuck, and what stands before it done")
    void an_undo_that_never_works_is_stuck() {
        SagaOutcome outcome = run(saga().step(step("s1"))
                .step(undoFails("s2", 99))
                .step(step("s3"))
                .step(rejected("s4"))
                .build());

        assertThat(outcome.state()).isEqualTo(SagaState.STUCK);
        assertThat(outcome.failure().orElseThrow().kind()).isEqualTo(Kind.STUCK);
        assertThat(effects.subList(4, effects.size())).containsExactly("undo s3", "undo s2", "undo s2", "undo s2");
        assertThat(snapshot().direction()).isEqualTo(Direction.BACKWARD);
        assertThat(snapshot().step()).isEqualTo("s2");
        assertThat(snapshot().dueAt()).isEmpty();
        advance(LONG);
        assertThat(effects).doesNotContain("undo s1");
        assertThat(kinds()).doesNotContain(Kind.COMPENSATED);
    }

    @Test
    @DisplayName("B28: a compensation that says it will never work is not asked again")
    void an_undo_that_is_rejected_is_stuck_at_once() {
        assertThat(endOf(saga().step(external("a").compensatedBy((ctx, result) -> {
                            effects.add("undo a");
                            throw new StepRejectedException("too late to void");
                        }))
                        .step(rejected("b"))
                        .build()))
                .isEqualTo(SagaState.STUCK);

        assertThat(effects).containsExactly("a", "b", "undo a");
    }

    @Test
    @DisplayName("B40: the first failure is what the caller sees, whatever fails after it")
    void the_original_failure_is_kept() {
        SagaOutcome outcome = run(saga().step(undoFails("a", 2))
                .step(external("b", failing("b", new IllegalArgumentException("limit")))
                        .noCompensation("has no effect")
                        .retry(every(MINUTE, 1)))
                .build());

        assertThat(outcome.failure().orElseThrow().error().orElseThrow())
                .contains("java.lang.IllegalArgumentException", "limit");
        assertThat(entries(Kind.STEP_FAILED))
                .singleElement()
                .satisfies(entry -> assertThat(entry.error().orElseThrow()).contains("limit"));
        assertThat(entries(Kind.COMPENSATION_FAILED)).hasSize(2);
    }

    @Test
    void an_undo_has_a_key_of_its_own_that_never_changes() {
        List<String> keys = new ArrayList<>();
        run(saga().step(external("a", ctx -> keys.add(ctx.idempotencyKey()))
                        .compensatedBy((ctx, result) -> {
                            keys.add(ctx.idempotencyKey());
                            assertThat(ctx.actionKey()).isEqualTo(keys.get(0));
                            if (ctx.attempt() == 1) {
                                throw new IllegalStateException("not yet");
                            }
                        })
                        .compensationRetry(every(MINUTE, 3)))
                .step(rejected("b"))
                .build());

        assertThat(keys).hasSize(3);
        assertThat(keys.get(1)).isEqualTo(keys.get(2)).isNotEqualTo(keys.get(0));
    }

    @Test
    void the_deadline_does_not_stop_undoing() {
        assertThat(endOf(saga().deadline(Duration.ofSeconds(30))
                        .step(undoFails("a", 2))
                        .step(rejected("b"))
                        .build()))
                .isEqualTo(SagaState.COMPENSATED);
        assertThat(effects).containsExactly("a", "b", "undo a", "undo a", "undo a");
    }
}
