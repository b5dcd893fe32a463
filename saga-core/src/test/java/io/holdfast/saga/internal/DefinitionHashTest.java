package io.holdfast.saga.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.ExternalStep;
import io.holdfast.saga.ForwardBuilder;
import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaBuilder;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.Steps;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("B86: a changed list of steps is another definition, changed code is not")
class DefinitionHashTest {
    private static final SagaType<String> TYPE = SagaType.of("order", 1, String.class);

    private final Steps<String> steps = Steps.of(String.class);
    private final String hash = hashOf(step("s1"), step("s2"), step("s3"));

    private ExternalStep<String, Void> external(String name) {
        return steps.external(name, ctx -> {});
    }

    private CompensatableStep<String> step(String name) {
        return external(name).compensatedBy((ctx, known) -> {});
    }

    @SafeVarargs
    private String hashOf(CompensatableStep<String>... list) {
        SagaBuilder<String> builder = SagaDefinition.builder(TYPE);
        for (CompensatableStep<String> step : list) {
            builder.step(step);
        }
        return builder.build().hash();
    }

    @Test
    void it_is_the_same_every_time_and_everywhere() {
        assertThat(hashOf(step("s1"), step("s2"), step("s3")))
                .isEqualTo(hash)
                .isEqualTo("2c1016df0385c011665023fba7f0efe2");
    }

    @Test
    void a_step_put_in_taken_out_renamed_or_moved_changes_it() {
        assertThat(hashOf(step("s1"), step("sX"), step("s2"), step("s3"))).isNotEqualTo(hash);
        assertThat(hashOf(step("s1"), step("s3"))).isNotEqualTo(hash);
        assertThat(hashOf(step("s1"), step("s2b"), step("s3"))).isNotEqualTo(hash);
        assertThat(hashOf(step("s1"), step("s3"), step("s2"))).isNotEqualTo(hash);
    }

    @Test
    void names_do_not_run_together() {
        assertThat(hashOf(step("a"), step("b.c"))).isNotEqualTo(hashOf(step("a.b"), step("c")));
    }

    @Test
    void how_a_step_is_undone_changes_it() {
        String byKey = hashOf(external("a").compensatedBy((ctx, known) -> {}));
        String settled = hashOf(external("a").settledAndCompensatedBy((ctx, known) -> {}));
        String nothing = hashOf(external("a").noCompensation("reads only"));

        assertThat(List.of(byKey, settled, nothing)).doesNotHaveDuplicates();
    }

    @Test
    void the_place_of_the_pivot_changes_it() {
        ForwardBuilder<String> late = SagaDefinition.builder(TYPE)
                .step(external("a").noCompensation("reads only"))
                .pivot(external("b"));
        ForwardBuilder<String> early =
                SagaDefinition.builder(TYPE).pivot(external("a")).then(external("b"));

        assertThat(late.build().hash()).isNotEqualTo(early.build().hash());
    }

    @Test
    void the_class_of_a_result_changes_it() {
        String text =
                hashOf(steps.external(StepKey.of("a", String.class), ctx -> "").compensatedBy((ctx, known) -> {}));
        String number =
                hashOf(steps.external(StepKey.of("a", Integer.class), ctx -> 1).compensatedBy((ctx, known) -> {}));

        assertThat(List.of(text, number, hashOf(step("a")))).doesNotHaveDuplicates();
    }

    @Test
    void a_local_step_is_not_an_external_one() {
        StepSpec.ByKey<String> undo = new StepSpec.ByKey<>((ctx, tx, known) -> {});
        StepSpec<String> local =
                StepSpec.<String>local("a", null, (ctx, tx) -> null).undoing(undo);
        StepSpec<String> external =
                StepSpec.<String>external("a", null, (ctx, tx) -> null).undoing(undo);

        assertThat(hashOf(new Compensatable<>(local))).isNotEqualTo(hashOf(new Compensatable<>(external)));
    }

    @Test
    void a_lock_on_another_table_changes_it() {
        assertThat(lockedOn("orders")).isEqualTo(lockedOn("orders")).isNotEqualTo(lockedOn("accounts"));
    }

    private String lockedOn(String table) {
        FakeLock lock = new FakeLock(table);
        return SagaDefinition.builder(TYPE)
                .step(lock.claim("claim"))
                .pivot(lock.release("release"))
                .build()
                .hash();
    }

    @Test
    void code_retries_timeouts_and_conditions_do_not_change_it() {
        CompensatableStep<String> other = steps.external("s2", ctx -> ctx.sagaId())
                .rejectedOn(IllegalStateException.class)
                .compensatedBy((ctx, known) -> ctx.sagaId())
                .retry(RetryPolicy.none())
                .compensationRetry(RetryPolicy.DEFAULT)
                .timeout(Duration.ofSeconds(1))
                .when(ctx -> true);

        assertThat(hashOf(step("s1"), other, step("s3"))).isEqualTo(hash);
        assertThat(SagaDefinition.builder(TYPE)
                        .deadline(Duration.ofDays(1))
                        .step(step("s1"))
                        .step(step("s2"))
                        .step(step("s3"))
                        .build()
                        .hash())
                .isEqualTo(hash);
    }
}
