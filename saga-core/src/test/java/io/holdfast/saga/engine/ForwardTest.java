package io.holdfast.saga.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.Direction;
import io.holdfast.saga.JournalEntry;
import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaOutcome;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ForwardTest extends InVirtualTime {
    private static final StepKey<Integer> NUMBER = StepKey.of("number", Integer.class);

    @AfterEach
    void soundJournal() {
        assertJournalIsSound();
    }

    @Test
    void all_steps_are_done_in_order() {
        SagaOutcome outcome = run(saga().step(step("a"))
                .step(step("b"))
                .pivot(external("pay"))
                .then(external("ship"))
                .build());

        assertThat(outcome.state()).isEqualTo(SagaState.COMPLETED);
        assertThat(outcome.failure()).isEmpty();
        assertThat(effects).containsExactly("a", "b", "pay", "ship");
        assertThat(trace()).isEqualTo(effects);
        assertThat(snapshot().pivot()).isEqualTo(Pivot.PASSED);
        assertThat(snapshot().owner()).isEmpty();
        assertThat(snapshot().dueAt()).isEmpty();
        assertThat(kinds())
                .containsExactly(
                        Kind.STARTED,
                        Kind.STEP_DONE,
                        Kind.STEP_DONE,
                        Kind.PIVOT_BEGUN,
                        Kind.STEP_DONE,
                        Kind.STEP_DONE,
                        Kind.COMPLETED);
    }

    @Test
    void a_saga_without_a_pivot_completes_with_its_last_step() {
        assertThat(endOf(saga().step(step("a")).step(step("b")).build())).isEqualTo(SagaState.COMPLETED);
        assertThat(snapshot().pivot()).isEqualTo(Pivot.NONE);
    }

    @Test
    void nothing_runs_before_time_is_given() {
        start(saga().step(step("a")).build());

        assertThat(effects).isEmpty();
        assertThat(snapshot().state()).isEqualTo(SagaState.RUNNING);
        advance(Duration.ZERO);
        assertThat(effects).containsExactly("a");
    }

    @Test
    @DisplayName("B27: attempts end where the policy says, and then what was done is undone once")
    void retries_end_and_then_it_turns_back() {
        assertThat(endOf(saga().step(step("a"))
                        .step(external("b", failing("b", new IllegalStateException("no")))
                                .noCompensation("has no effect")
                                .retry(every(MINUTE, 3)))
                        .build()))
                .isEqualTo(SagaState.COMPENSATED);

        assertThat(effects).containsExactly("a", "b", "b", "b", "undo a");
        assertThat(entries(Kind.STEP_FAILED)).extracting(JournalEntry::attempt).containsExactly(1, 2, 3);
    }

    @Test
    void delays_pass_in_virtual_time() {
        start(saga().step(undoable("a", failing("a", new IllegalStateException("no")))
                        .retry(every(MINUTE, 3)))
                .build());

        advance(Duration.ZERO);
        assertThat(effects).hasSize(1);
        assertThat(snapshot().owner()).as("parked").isEmpty();
        assertThat(snapshot().attempts()).isEqualTo(1);
        advance(MINUTE.minusMillis(1));
        assertThat(effects).hasSize(1);
        advance(Duration.ofMillis(1));
        assertThat(effects).hasSize(2);
        advance(MINUTE);
        assertThat(effects).containsExactly("a", "a", "a", "undo a");
    }

    @Test
    void a_step_that_works_in_the_end_goes_on_with_fresh_counters() {
        run(saga().step(undoable("a", ctx -> {
                            effects.add("a" + ctx.attempt());
                            if (ctx.attempt() < 3) {
                                throw new IllegalStateException("not yet");
                            }
                        })
                        .retry(every(MINUTE, 5)))
                .step(step("b"))
                .build());

        assertThat(effects).containsExactly("a1", "a2", "a3", "b");
        assertThat(snapshot().attempts()).isZero();
        assertThat(snapshot().lastError())
                .as("kept for the curious")
                .hasValueSatisfying(error -> assertThat(error).contains("not yet"));
    }

    @Test
    void exponential_delays_are_never_longer_than_their_caps() {
        start(saga().step(undoable("a", failing("a", new IllegalStateException("no"))))
                .build()); // the default: 100 ms doubling to 10 s, 5 attempts

        advance(Duration.ofMillis(100 + 200 + 400 + 800));

        assertThat(effects).startsWith("a", "a", "a", "a", "a");
    }

    @Test
    void time_spent_ends_retries_too() {
        assertThat(endOf(saga().step(external("a", failing("a", new IllegalStateException("no")))
                                .noCompensation("has no effect")
                                .retry(every(MINUTE, 100).maxElapsed(Duration.ofMinutes(4))))
                        .build()))
                .isEqualTo(SagaState.COMPENSATED);

        assertThat(effects).hasSize(4);
    }

    @Test
    @DisplayName("B37: results survive retries of later steps and are there for every step and for the caller")
    void results_are_kept() {
        List<Integer> seen = new ArrayList<>();
        SagaOutcome outcome = run(saga().step(steps.external(NUMBER, ctx -> 7).noCompensation("has no effect"))
                .step(undoable("b", ctx -> {
                            seen.add(ctx.result(NUMBER));
                            if (ctx.attempt() < 3) {
                                throw new IllegalStateException("not yet");
                            }
                        })
                        .retry(every(MINUTE, 5)))
                .build());

        assertThat(seen).containsExactly(7, 7, 7);
        assertThat(outcome.result(NUMBER)).isEqualTo(7);
    }

    @Test
    void a_key_is_the_same_on_every_attempt_and_another_for_every_step() {
        List<String> keys = new ArrayList<>();
        run(saga().step(undoable("a", ctx -> {
                            keys.add(ctx.idempotencyKey());
                            assertThat(ctx.actionKey()).isEqualTo(ctx.idempotencyKey());
                            if (ctx.attempt() == 1) {
                                throw new IllegalStateException("not yet");
                            }
                        })
                        .retry(every(MINUTE, 2)))
                .step(undoable("b", ctx -> keys.add(ctx.idempotencyKey())))
                .build());

        assertThat(keys).hasSize(3);
        assertThat(keys.get(0)).isEqualTo(keys.get(1)).isNotEqualTo(keys.get(2));
    }

    @Test
    void a_cancel_turns_a_parked_saga_back_at_once() {
        start(saga().step(step("a"))
                .step(undoable("b", failing("b", new IllegalStateException("no")))
                        .retry(every(Duration.ofDays(1), 9)))
                .build());
        advance(Duration.ZERO);

        assertThat(sagas().handle(TYPE, "42").cancel("changed my mind")).isEqualTo(Verdict.APPLIED);
        advance(Duration.ZERO);

        assertThat(snapshot().state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(effects).containsExactly("a", "b", "undo b", "undo a");
        assertThat(sagas().handle(TYPE, "42").cancel("again")).isIn(Verdict.ALREADY, Verdict.TOO_LATE);
        assertThat(entries(Kind.TURNED_BACK)).singleElement().satisfies(entry -> {
            assertThat(entry.note().orElseThrow()).contains("changed my mind");
            assertThat(entry.direction()).isEqualTo(Direction.BACKWARD);
        });
    }

    @Test
    void a_cancel_reaches_the_running_step_whose_outcome_is_recorded_before_it_is_undone() {
        List<Boolean> cancelled = new ArrayList<>();
        assertThat(endOf(saga().step(step("a"))
                        .step(undoable("b", ctx -> {
                            cancelled.add(ctx.isCancelled());
                            sagas().handle(TYPE, "42").cancel("changed my mind");
                            cancelled.add(ctx.isCancelled());
                            effects.add("b");
                        }))
                        .step(step("c"))
                        .build()))
                .isEqualTo(SagaState.COMPENSATED);

        assertThat(cancelled).containsExactly(false, true);
        assertThat(effects).containsExactly("a", "b", "undo b", "undo a");
        assertThat(trace()).containsExactly("a", "b", "undo b", "undo a");
    }

    @Test
    @DisplayName("B21: the deadline turns a waiting saga back")
    void the_deadline_turns_it_back() {
        start(saga().deadline(Duration.ofMinutes(10))
                .step(step("a"))
                .step(external("b", failing("b", new IllegalStateException("no")))
                        .noCompensation("has no effect")
                        .retry(RetryPolicy.exponential(MINUTE, Duration.ofHours(1))
                                .forever()))
                .build());

        advance(Duration.ofMinutes(10).minusMillis(1));
        assertThat(snapshot().state()).isEqualTo(SagaState.RUNNING);
        advance(Duration.ofMillis(1));

        assertThat(snapshot().state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(effects).endsWith("undo a");
        assertThat(entries(Kind.TURNED_BACK).get(0).error().orElseThrow()).startsWith("SAGA-304");
    }

    @Test
    @DisplayName("B21: a deadline that passes while a step runs waits for its end")
    void the_deadline_waits_for_the_running_step() {
        assertThat(endOf(saga().deadline(Duration.ofSeconds(3))
                        .step(step("a"))
                        .step(undoable("b", ctx -> {
                            advance(Duration.ofSeconds(10));
                            effects.add("b");
                        }))
                        .step(step("c"))
                        .build()))
                .isEqualTo(SagaState.COMPENSATED);

        assertThat(effects).containsExactly("a", "b", "undo b", "undo a");
    }

    @Test
    @DisplayName("B20: a step that outlives its timeout is tried again, and what comes late changes no state")
    void a_timeout_gives_the_attempt_up() {
        run(saga().step(undoable("a", ctx -> {
                            effects.add("a" + ctx.attempt());
                            if (ctx.attempt() == 1) {
                                advance(Duration.ofSeconds(6));
                                assertThat(ctx.isCancelled()).isTrue();
                            }
                        })
                        .timeout(Duration.ofSeconds(5))
                        .retry(every(MINUTE, 2)))
                .build());

        assertThat(snapshot().state()).isEqualTo(SagaState.COMPLETED);
        assertThat(effects).containsExactly("a1", "a2");
        assertThat(snapshot().runSeq())
                .as("raised by giving the attempt up, and by the claim after the pause")
                .isEqualTo(3);
        assertThat(entries(Kind.STEP_FAILED))
                .singleElement()
                .satisfies(entry -> assertThat(entry.error().orElseThrow()).contains("SAGA-302"));
        assertThat(Thread.interrupted())
                .as("the interrupt was the attempt's own")
                .isFalse();
    }
}
