package io.holdfast.saga;

import static io.holdfast.saga.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Persisted names, versions and classes: refused where they are given, with the rule named. */
class NamesTest {
    private static final String RULE = "1 to 100 letters, digits, dots, dashes and underscores";

    private final Steps<String> steps = Steps.of(String.class);

    static List<String> hostileNames() {
        return List.of(
                "",
                " ",
                "\t\n",
                "a b",
                " a",
                "a ",
                "a\n",
                "\nINFO forged log line",
                "-a",
                ".a",
                "_a",
                "a/b",
                "../../etc/passwd",
                "a;drop table saga",
                "a'--",
                "a\"b",
                "a\\b",
                "a%b",
                "ä",
                "名前",
                "\u0430dmin",
                "😀",
                "a\u0000b",
                "a\uD800",
                "a\u200Bb",
                "\u202Eevil",
                "x".repeat(101),
                "x".repeat(100_000));
    }

    @ParameterizedTest
    @MethodSource("hostileNames")
    void a_hostile_name_is_refused_for_types_and_steps(String name) {
        assertRefused(SagaError.INVALID_NAME, () -> SagaType.of(name, 1, String.class))
                .hasMessageContaining("type name")
                .hasMessageContaining(RULE);
        assertRefused(SagaError.INVALID_NAME, () -> StepKey.of(name, String.class))
                .hasMessageContaining("step name")
                .hasMessageContaining(RULE);
        assertRefused(SagaError.INVALID_NAME, () -> steps.external(name, ctx -> {}))
                .hasMessageContaining("step name")
                .hasMessageContaining(RULE);
    }

    @ParameterizedTest
    @MethodSource("hostileNames")
    void the_message_about_a_hostile_name_is_one_short_line(String name) {
        assertRefused(SagaError.INVALID_NAME, () -> StepKey.of(name, String.class))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(400).doesNotContain("\n", "\u0000", "\t"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "7", "order", "Order.v2_eu-west", "0.-_"})
    void a_plain_name_is_kept_as_it_is(String name) {
        assertThat(SagaType.of(name, 1, String.class).name()).isEqualTo(name);
        assertThat(StepKey.of(name, String.class).name()).isEqualTo(name);
        assertThat(steps.external(name, ctx -> {}).name()).isEqualTo(name);
    }

    @Test
    void a_name_of_a_hundred_characters_is_the_longest() {
        assertThat(StepKey.of("x".repeat(100), String.class).name()).hasSize(100);
    }

    @Test
    @SuppressWarnings("NullAway") // null is what is tried
    void null_is_refused_by_name() {
        assertRefused(SagaError.NULL_ARGUMENT, () -> SagaType.of(null, 1, String.class))
                .hasMessageContaining("type name");
        assertRefused(SagaError.NULL_ARGUMENT, () -> SagaType.of("a", 1, null)).hasMessageContaining("data class");
        assertRefused(
                        SagaError.NULL_ARGUMENT,
                        () -> SagaType.of("a", 1, String.class).identity(null))
                .hasMessageContaining("identity");
        assertRefused(SagaError.NULL_ARGUMENT, () -> StepKey.of(null, String.class))
                .hasMessageContaining("step name");
        assertRefused(SagaError.NULL_ARGUMENT, () -> StepKey.of("a", null)).hasMessageContaining("result class");
        assertRefused(SagaError.NULL_ARGUMENT, () -> Steps.of(null)).hasMessageContaining("data class");
        assertRefused(SagaError.NULL_ARGUMENT, () -> SagaDefinition.builder(null))
                .hasMessageContaining("type");
    }

    @Test
    @SuppressWarnings("NullAway") // null is what is tried
    void null_is_refused_by_every_part_of_a_step() {
        ExternalStep<String, Void> step = steps.external("a", ctx -> {});
        CompensatableStep<String> undoable = step.noCompensation("reads only");
        assertRefused(SagaError.NULL_ARGUMENT, () -> steps.external((String) null, ctx -> {}));
        assertRefused(SagaError.NULL_ARGUMENT, () -> steps.external("a", null));
        assertRefused(SagaError.NULL_ARGUMENT, () -> steps.external((StepKey<String>) null, ctx -> "x"));
        assertRefused(SagaError.NULL_ARGUMENT, () -> steps.external(StepKey.of("a", String.class), null));
        assertRefused(SagaError.NULL_ARGUMENT, () -> step.retry(null));
        assertRefused(SagaError.NULL_ARGUMENT, () -> step.timeout(null));
        assertRefused(SagaError.NULL_ARGUMENT, () -> step.when(null));
        assertRefused(SagaError.NULL_ARGUMENT, () -> step.dataFrom(null));
        assertRefused(SagaError.NULL_ARGUMENT, () -> step.rejectedOn(null));
        assertRefused(SagaError.NULL_ARGUMENT, () -> step.compensatedBy(null));
        assertRefused(SagaError.NULL_ARGUMENT, () -> step.settledAndCompensatedBy(null));
        assertRefused(SagaError.NULL_ARGUMENT, () -> step.noCompensation(null));
        assertRefused(SagaError.NULL_ARGUMENT, () -> undoable.retry(null));
        assertRefused(SagaError.NULL_ARGUMENT, () -> undoable.compensationRetry(null));
        assertRefused(SagaError.NULL_ARGUMENT, () -> undoable.timeout(null));
        assertRefused(SagaError.NULL_ARGUMENT, () -> undoable.when(null));
        assertRefused(SagaError.NULL_ARGUMENT, () -> undoable.dataFrom(null));
    }

    @Test
    void why_nothing_need_be_undone_is_not_blank() {
        ExternalStep<String, Void> step = steps.external("a", ctx -> {});

        assertRefused(SagaError.INVALID_LIMIT, () -> step.noCompensation(" \t")).hasMessageContaining("blank");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void versions_begin_at_1(int version) {
        assertRefused(SagaError.INVALID_VERSION, () -> SagaType.of("a", version, String.class))
                .hasMessageContaining(String.valueOf(version))
                .hasMessageContaining("begin at 1");
    }

    @ParameterizedTest
    @ValueSource(classes = {List.class, Map.class, Optional.class, Object.class, void.class, Void.class, int.class})
    void a_class_that_json_cannot_restore_is_refused(Class<?> type) {
        assertRefused(SagaError.INVALID_PAYLOAD_CLASS, () -> StepKey.of("a", type))
                .hasMessageContaining("result class " + type.getName())
                .hasMessageContaining("put it into a record");
        assertRefused(SagaError.INVALID_PAYLOAD_CLASS, () -> SagaType.of("a", 1, type))
                .hasMessageContaining("data class " + type.getName());
    }

    @Test
    void arrays_are_as_good_as_their_elements() {
        assertThat(StepKey.of("a", String[][].class).resultClass()).isEqualTo(String[][].class);
        assertThat(StepKey.of("a", int[].class).resultClass()).isEqualTo(int[].class);
        assertRefused(SagaError.INVALID_PAYLOAD_CLASS, () -> StepKey.of("a", List[].class));
    }
}
