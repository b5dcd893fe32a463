package io.holdfast.saga;

import static io.holdfast.saga.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.holdfast.saga.internal.FakeLock;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What the types cannot rule out, {@code build()} or the builder's own calls refuse. */
class DefinitionRulesTest {
    private static final SagaType<String> TYPE = SagaType.of("order", 1, String.class);

    private final Steps<String> steps = Steps.of(String.class);
    private final FakeLock lock = new FakeLock("orders");
    private final FakeLock sameTable = new FakeLock("orders");

    private SagaBuilder<String> builder() {
        return SagaDefinition.builder(TYPE);
    }

    private CompensatableStep<String> step(String name) {
        return external(name).noCompensation("reads only");
    }

    private ExternalStep<String, Void> external(String name) {
        return steps.external(name, ctx -> {});
    }

    @Test
    void a_definition_says_its_type_and_hash() {
        SagaDefinition<String> definition = builder().step(step("a")).build();

        assertThat(definition.type()).isSameAs(TYPE);
        assertThat(definition.hash()).matches("[0-9a-f]{32}");
        assertThat(definition.toString()).contains("order v1", definition.hash());
    }

    @Test
    void a_definition_without_steps_is_refused() {
        assertRefused(SagaError.EMPTY_DEFINITION, () -> builder().build()).hasMessageContaining("order v1");
    }

    @Test
    void a_second_step_of_one_name_is_refused_at_once_wherever_it_stands() {
        assertRefused(SagaError.DUPLICATE_STEP, () -> builder().step(step("a")).step(step("a")))
                .hasMessageContaining("\"a\"")
                .hasMessageContaining("order v1");
        assertRefused(SagaError.DUPLICATE_STEP, () -> builder().step(step("a")).pivot(external("a")));
        assertRefused(
                SagaError.DUPLICATE_STEP, () -> builder().pivot(external("a")).then(external("a")));
        assertRefused(
                SagaError.DUPLICATE_STEP,
                () -> builder().step(step("a")).pivot(external("b")).then(external("a")));
    }

    @Test
    void names_that_differ_by_case_are_two_names() {
        assertThatCode(() -> builder().step(step("a")).step(step("A")).build()).doesNotThrowAnyException();
    }

    @Test
    @SuppressWarnings("NullAway") // null is what is tried
    void null_for_a_step_is_refused() {
        assertRefused(SagaError.NULL_ARGUMENT, () -> builder().step(null)).hasMessageContaining("step");
        assertRefused(SagaError.NULL_ARGUMENT, () -> builder().pivot(null)).hasMessageContaining("pivot");
        assertRefused(
                SagaError.NULL_ARGUMENT, () -> builder().pivot(external("a")).then(null));
    }

    @Test
    void a_step_of_somebody_elses_making_is_refused() {
        assertRefused(SagaError.FOREIGN_STEP, () -> builder().step(new Foreign()))
                .hasMessageContaining(Foreign.class.getName());
    }

    @Test
    void claim_and_release_of_one_lock_are_a_pair() {
        assertThatCode(() -> builder()
                        .step(lock.claim("claim"))
                        .pivot(external("pay"))
                        .then(lock.release("release"))
                        .build())
                .doesNotThrowAnyException();
    }

    @Test
    void a_local_pivot_may_release() {
        assertThatCode(() -> builder()
                        .step(lock.claim("claim"))
                        .pivot(lock.release("release"))
                        .build())
                .doesNotThrowAnyException();
    }

    @Test
    void a_claim_without_a_release_is_refused() {
        assertRefused(
                        SagaError.CLAIM_WITHOUT_RELEASE,
                        () -> builder()
                                .step(lock.claim("claim"))
                                .pivot(external("pay"))
                                .build())
                .hasMessageContaining("\"claim\"")
                .hasMessageContaining("orders")
                .hasMessageContaining("same lock object");
    }

    @Test
    void a_claim_without_a_pivot_is_refused() {
        assertRefused(
                SagaError.CLAIM_WITHOUT_RELEASE,
                () -> builder().step(lock.claim("claim")).build());
    }

    @Test
    void a_release_without_a_claim_is_refused() {
        assertRefused(
                        SagaError.RELEASE_WITHOUT_CLAIM,
                        () -> builder()
                                .pivot(external("pay"))
                                .then(lock.release("release"))
                                .build())
                .hasMessageContaining("\"release\"")
                .hasMessageContaining("same lock object");
    }

    @Test
    void two_lock_objects_for_one_table_are_no_pair() {
        assertThatCode(() -> builder()
                        .step(lock.claim("claim"))
                        .pivot(external("pay"))
                        .then(sameTable.release("release"))
                        .build())
                .isInstanceOfSatisfying(
                        SagaDefinitionException.class,
                        e -> assertThat(e.error())
                                .isIn(SagaError.CLAIM_WITHOUT_RELEASE, SagaError.RELEASE_WITHOUT_CLAIM));
    }

    @Test
    void a_condition_on_half_a_lock_is_refused() {
        Predicate<StepContext<String>> condition = ctx -> true;
        assertRefused(
                        SagaError.CONDITION_ON_HALF_A_LOCK,
                        () -> builder()
                                .step(lock.claim("claim").when(condition))
                                .pivot(external("pay"))
                                .then(lock.release("release"))
                                .build())
                .hasMessageContaining("\"claim\"")
                .hasMessageContaining("\"release\"");
        assertRefused(
                SagaError.CONDITION_ON_HALF_A_LOCK,
                () -> builder()
                        .step(lock.claim("claim"))
                        .pivot(external("pay"))
                        .then(lock.release("release").when(condition))
                        .build());
        assertThatCode(() -> builder()
                        .step(lock.claim("claim").when(condition))
                        .pivot(external("pay"))
                        .then(lock.release("release").when(condition))
                        .build())
                .doesNotThrowAnyException();
    }

    @Test
    void a_pivot_with_a_condition_is_refused() {
        assertRefused(
                        SagaError.CONDITION_ON_PIVOT,
                        () -> builder()
                                .step(step("a"))
                                .pivot(external("pay").when(ctx -> true))
                                .build())
                .hasMessageContaining("\"pay\"");
    }

    @Test
    void locks_that_may_be_taken_over_need_a_local_pivot() {
        FakeLock taken = new FakeLock("orders").takenOver();
        assertRefused(
                        SagaError.TAKE_OVER_NEEDS_LOCAL_PIVOT,
                        () -> builder()
                                .step(taken.claim("claim"))
                                .pivot(external("pay"))
                                .then(taken.release("release"))
                                .build())
                .hasMessageContaining("\"pay\" is external");
        assertThatCode(() -> builder()
                        .step(taken.claim("claim"))
                        .pivot(taken.release("release"))
                        .build())
                .doesNotThrowAnyException();
    }

    @Test
    void a_deadline_shorter_than_fixed_delays_before_the_pivot_is_refused() {
        RetryPolicy patient = RetryPolicy.fixed(Duration.ofMinutes(1)).maxAttempts(6);
        assertRefused(
                        SagaError.DEADLINE_TOO_SHORT,
                        () -> builder()
                                .deadline(Duration.ofMinutes(5))
                                .step(step("ask").retry(patient))
                                .build())
                .hasMessageContaining("\"ask\"")
                .hasMessageContaining("PT5M");
        assertRefused(
                SagaError.DEADLINE_TOO_SHORT,
                () -> builder()
                        .deadline(Duration.ofSeconds(30))
                        .step(step("ask").retry(patient.forever()))
                        .build());
        assertThatCode(() -> builder()
                        .deadline(Duration.ofMinutes(6))
                        .step(step("ask").retry(patient))
                        .build())
                .doesNotThrowAnyException();
    }

    @Test
    void what_comes_after_the_pivot_has_no_deadline() {
        assertThatCode(() -> builder()
                        .deadline(Duration.ofMinutes(5))
                        .pivot(external("pay"))
                        .then(external("ship").retry(RetryPolicy.fixed(Duration.ofHours(1))))
                        .build())
                .doesNotThrowAnyException();
    }

    @Test
    void a_step_of_a_part_of_the_data_keeps_its_rules() {
        SagaType<Integer> type = SagaType.of("count", 1, Integer.class);
        assertThatCode(() -> SagaDefinition.builder(type)
                        .step(lock.claim("claim").dataFrom(String::valueOf))
                        .pivot(external("pay").dataFrom(String::valueOf))
                        .then(lock.release("release").dataFrom(String::valueOf))
                        .build())
                .doesNotThrowAnyException();
        assertRefused(
                SagaError.CLAIM_WITHOUT_RELEASE,
                () -> SagaDefinition.builder(type)
                        .step(lock.claim("claim").dataFrom(String::valueOf))
                        .build());
    }

    /** A step that the engine would not know how to run. */
    private static final class Foreign implements CompensatableStep<String> {
        @Override
        public String name() {
            return "foreign";
        }

        @Override
        public CompensatableStep<String> retry(RetryPolicy ofTheAction) {
            return this;
        }

        @Override
        public CompensatableStep<String> compensationRetry(RetryPolicy ofTheCompensation) {
            return this;
        }

        @Override
        public CompensatableStep<String> timeout(Duration perAttempt) {
            return this;
        }

        @Override
        public CompensatableStep<String> when(Predicate<? super StepContext<String>> condition) {
            return this;
        }

        @Override
        public <P> CompensatableStep<P> dataFrom(Function<? super P, ? extends String> part) {
            throw new UnsupportedOperationException();
        }
    }
}
