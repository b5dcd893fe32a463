package io.holdfast.saga.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.ExternalStep;
import io.holdfast.saga.JournalEntry;
import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.Refusals;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaOutcome;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.StepRejectedException;
import io.holdfast.saga.Steps;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Steps that are passed over, and steps that see a part of the data. */
class ConditionTest extends InVirtualTime {
    private static final StepKey<Integer> NUMBER = StepKey.of("number", Integer.class);

    @AfterEach
    void soundJournal() {
        assertJournalIsSound();
    }

    private ExternalStep<String, Integer> number() {
        return steps.external(NUMBER, ctx -> 7);
    }

    @Test
    void a_step_whose_condition_says_no_is_passed_over_and_journalled() {
        run(saga().step(step("a"))
                .step(step("b").when(ctx -> false))
                .step(step("c").when(ctx -> true))
                .build());

        assertThat(effects).containsExactly("a", "c");
        assertThat(entries(Kind.STEP_SKIPPED))
                .extracting(entry -> entry.step().orElseThrow())
                .containsExactly("b");
    }

    @Test
    void first_and_last_steps_can_be_passed_over_too() {
        assertThat(endOf(saga().step(step("a").when(ctx -> false))
                        .step(step("b"))
                        .pivot(external("pay"))
                        .then(external("ship").when(ctx -> false))
                        .build()))
                .isEqualTo(SagaState.COMPLETED);

        assertThat(effects).containsExactly("b", "pay");
    }

    @Test
    void all_steps_passed_over_is_an_end_too() {
        assertThat(endOf(saga().step(step("a").when(ctx -> false)).build())).isEqualTo(SagaState.COMPLETED);
        assertThat(effects).isEmpty();
    }

    @Test
    void a_condition_sees_data_and_earlier_results() {
        List<String> seen = new ArrayList<>();
        run(saga().step(number().noCompensation("has no effect"))
                .step(step("a").when(ctx -> {
                    seen.add(ctx.data() + ctx.result(NUMBER) + ctx.businessKey());
                    return ctx.result(NUMBER) > 7;
                }))
                .build());

        assertThat(seen).containsExactly("data742");
        assertThat(effects).isEmpty();
    }

    @Test
    void a_condition_is_looked_at_once_whatever_happens_to_the_step() {
        List<Integer> looks = new ArrayList<>();
        run(saga().step(step("a"))
                .step(undoable("b", failing("b", new IllegalStateException("no")))
                        .when(ctx -> looks.add(1))
                        .retry(every(MINUTE, 3)))
                .build());

        assertThat(looks).hasSize(1);
        assertThat(effects).containsExactly("a", "b", "b", "b", "undo b", "undo a");
    }

    @Test
    void a_condition_that_throws_turns_the_saga_back() {
        assertThat(endOf(saga().step(step("a"))
                        .step(step("b").when(ctx -> {
                            throw new IllegalStateException("which country?");
                        }))
                        .build()))
                .isEqualTo(SagaState.COMPENSATED);

        assertThat(effects).containsExactly("a", "undo a");
        assertThat(entries(Kind.TURNED_BACK).get(0).error().orElseThrow()).contains("which country?");
    }

    @Test
    void a_step_passed_over_is_not_undone() {
        run(saga().step(step("a"))
                .step(step("b").when(ctx -> false))
                .step(undoable("c", failing("c", new StepRejectedException("no"))))
                .build());

        assertThat(effects).containsExactly("a", "c", "undo a");
    }

    @Test
    void the_result_of_a_step_passed_over_is_not_there() {
        List<Optional<Integer>> found = new ArrayList<>();
        SagaOutcome outcome =
                run(saga().step(number().noCompensation("has no effect").when(ctx -> false))
                        .step(undoable("a", ctx -> {
                            found.add(ctx.findResult(NUMBER));
                            ctx.result(NUMBER);
                        }))
                        .build());

        assertThat(found).isNotEmpty().containsOnly(Optional.empty());
        assertThat(outcome.state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(entries(Kind.STEP_FAILED))
                .extracting(JournalEntry::error)
                .allSatisfy(error -> assertThat(error.orElseThrow()).contains("SAGA-203"));
        assertThat(outcome.findResult(NUMBER)).isEmpty();
        Refusals.assertMisuse(SagaError.NO_SUCH_RESULT, () -> outcome.result(NUMBER))
                .hasMessageContaining("\"number\"");
    }

    @Test
    void a_step_of_a_part_sees_its_part_in_action_condition_and_undo() {
        List<Integer> seen = new ArrayList<>();
        Steps<Integer> parts = Steps.of(Integer.class);
        run(saga().step(parts.external("a", ctx -> seen.add(ctx.data()))
                        .compensatedBy((ctx, known) -> seen.add(-ctx.data()))
                        .when(ctx -> seen.add(ctx.data() * 10))
                        .dataFrom(String::length))
                .step(undoable("b", failing("b", new StepRejectedException("no"))))
                .build());

        assertThat(seen).containsExactly(40, 4, -4);
    }
}
