package io.holdfast.saga.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.RetriableStep;
import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.StepRejectedException;
import io.holdfast.saga.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("B41: nothing is undone once the pivot may have happened")
class PivotTest extends InVirtualTime {
    @AfterEach
    void soundJournal() {
        assertJournalIsSound();
    }

    private RetriableStep<String> fails(String name, int times, RetryPolicy retry) {
        return external(name, ctx -> {
                    effects.add(name);
                    if (ctx.attempt() <= times) {
                        throw new IOException("connection reset");
                    }
                })
                .retry(retry);
    }

    @Test
    void an_external_pivot_is_begun_durably_before_it_is_called() {
        List<Pivot> seen = new ArrayList<>();
        run(saga().step(step("a"))
                .pivot(external("pay", ctx -> seen.add(snapshot().pivot())))
                .build());

        assertThat(seen).containsExactly(Pivot.BEGUN);
        assertThat(kinds()).containsSubsequence(Kind.STEP_DONE, Kind.PIVOT_BEGUN, Kind.STEP_DONE);
    }

    @Test
    void a_pivot_in_doubt_is_asked_again_with_the_same_key() {
        List<String> keys = new ArrayList<>();
        assertThat(endOf(saga().step(step("a"))
                        .pivot(external("pay", ctx -> {
                                    keys.add(ctx.idempotencyKey());
                                    if (ctx.attempt() < 4) {
                                        throw new IOException("connection reset");
                                    }
                                })
                                .retry(every(MINUTE, 9)))
                        .build()))
                .isEqualTo(SagaState.COMPLETED);

        assertThat(keys).hasSize(4).containsOnly(keys.get(0));
        assertThat(effects).doesNotContain("undo a");
    }

    @Test
    void a_pivot_in_doubt_to_the_end_is_stuck() {
        assertThat(endOf(saga().step(step("a"))
                        .pivot(fails("pay", 99, every(MINUTE, 3)))
                        .build()))
                .isEqualTo(SagaState.STUCK);

        assertThat(effects).containsExactly("a", "pay", "pay", "pay");
        assertThat(snapshot().pivot()).isEqualTo(Pivot.BEGUN);
        assertThat(snapshot().step()).isEqualTo("pay");
    }

    @Test
    void a_pivot_that_is_rejected_turns_back() {
        assertThat(endOf(saga().step(step("a"))
                        .pivot(external("pay", failing("pay", new StepRejectedException("declined"))))
                        .then(external("ship"))
                        .build()))
                .isEqualTo(SagaState.COMPENSATED);

        assertThat(effects).containsExactly("a", "pay", "undo a");
        assertThat(snapshot().pivot()).isEqualTo(Pivot.NONE);
    }

    @Test
    void while_the_pivot_is_asked_a_cancel_is_undecided_and_the_deadline_does_nothing() {
        SagaHandle handle = start(saga().deadline(Duration.ofMinutes(5))
                .step(step("a"))
                .pivot(fails("pay", 3, RetryPolicy.exponential(Duration.ofHours(1), Duration.ofHours(2))))
                .build());
        advance(Duration.ZERO);

        assertThat(handle.cancel("changed my mind")).isEqualTo(Verdict.UNDECIDED);
        assertThat(handle.await(LONG).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
        assertThat(effects).containsExactly("a", "pay", "pay", "pay", "pay");
    }

    @Test
    void after_the_pivot_failures_are_repeated_and_a_cancel_comes_too_late() {
        SagaHandle handle = start(saga().deadline(Duration.ofMinutes(5))
                .step(step("a"))
                .pivot(external("pay"))
                .then(fails("ship", 10, every(Duration.ofHours(1), 11)))
                .build());
        advance(Duration.ofMinutes(30));

        assertThat(handle.cancel("changed my mind")).isEqualTo(Verdict.TOO_LATE);
        assertThat(handle.await(LONG).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
        assertThat(effects).hasSize(13).doesNotContain("undo a");
        assertThat(handle.cancel("changed my mind")).isEqualTo(Verdict.TOO_LATE);
    }

    @Test
    void after_the_pivot_retries_that_are_spent_get_it_stuck() {
        assertThat(endOf(saga().step(step("a"))
                        .pivot(external("pay"))
                        .then(fails("ship", 99, every(MINUTE, 3)))
                        .then(external("thank"))
                        .build()))
                .isEqualTo(SagaState.STUCK);

        assertThat(effects).containsExactly("a", "pay", "ship", "ship", "ship");
        assertThat(snapshot().pivot()).isEqualTo(Pivot.PASSED);
    }

    @Test
    void after_the_pivot_a_rejection_gets_it_stuck() {
        assertThat(endOf(saga().step(step("a"))
                        .pivot(external("pay"))
                        .then(external("ship", failing("ship", new StepRejectedException("no such address"))))
                        .build()))
                .isEqualTo(SagaState.STUCK);

        assertThat(effects).containsExactly("a", "pay", "ship");
    }
}
