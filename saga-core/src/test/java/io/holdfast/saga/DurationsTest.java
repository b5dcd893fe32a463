package io.holdfast.saga;

import static io.holdfast.saga.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("B22: durations of zero, below it, of next to nothing and of for ever are refused where they are given")
class DurationsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ExternalStep<String, Void> step = Steps.of(String.class).external("a", ctx -> {});
    private final SagaBuilder<String> builder = SagaDefinition.builder(SagaType.of("t", 1, String.class));

    static List<Duration> hostileDurations() {
        return List.of(
                Duration.ZERO,
                Duration.ofMillis(-1),
                Duration.ofNanos(1),
                Duration.ofNanos(999_999),
                Duration.ofSeconds(Long.MAX_VALUE),
                Duration.ofSeconds(Long.MIN_VALUE),
                Duration.ofDays(365_000_000),
                Duration.ofDays(366));
    }

    @ParameterizedTest
    @MethodSource("hostileDurations")
    void everywhere_with_setting_and_range_named(Duration hostile) {
        assertRange("deadline", () -> builder.deadline(hostile));
        assertRange("step timeout", () -> step.timeout(hostile));
        assertRange("step timeout", () -> step.noCompensation("none").timeout(hostile));
        assertRange("retry delay", () -> RetryPolicy.fixed(hostile));
        assertRange("first retry delay", () -> RetryPolicy.exponential(hostile, SECOND));
        assertRange("longest retry delay", () -> RetryPolicy.exponential(SECOND, hostile));
        assertRange("time for retries", () -> RetryPolicy.DEFAULT.maxElapsed(hostile));
    }

    @Test
    @SuppressWarnings("NullAway") // null is what is tried
    void null_is_refused_too() {
        assertRefused(SagaError.NULL_ARGUMENT, () -> builder.deadline(null)).hasMessageContaining("deadline");
        assertRefused(SagaError.NULL_ARGUMENT, () -> step.timeout(null)).hasMessageContaining("step timeout");
        assertRefused(SagaError.NULL_ARGUMENT, () -> RetryPolicy.fixed(null)).hasMessageContaining("retry delay");
        assertRefused(SagaError.NULL_ARGUMENT, () -> RetryPolicy.exponential(null, SECOND))
                .hasMessageContaining("first retry delay");
        assertRefused(SagaError.NULL_ARGUMENT, () -> RetryPolicy.exponential(SECOND, null))
                .hasMessageContaining("longest retry delay");
        assertRefused(SagaError.NULL_ARGUMENT, () -> RetryPolicy.DEFAULT.maxElapsed(null))
                .hasMessageContaining("time for retries");
    }

    @Test
    void the_ends_of_the_ranges_are_inside() {
        assertThatCode(() -> {
                    builder.deadline(Duration.ofMillis(10)).deadline(Duration.ofDays(365));
                    step.timeout(Duration.ofMillis(1)).timeout(Duration.ofDays(1));
                    RetryPolicy.fixed(Duration.ofMillis(1));
                    RetryPolicy.exponential(Duration.ofDays(1), Duration.ofDays(1));
                    RetryPolicy.DEFAULT.maxElapsed(Duration.ofDays(365));
                })
                .doesNotThrowAnyException();
    }

    @Test
    void the_longest_delay_is_not_shorter_than_the_first() {
        assertRange("longest retry delay", () -> RetryPolicy.exponential(SECOND, Duration.ofMillis(999)));
    }

    private void assertRange(String setting, ThrowingCallable call) {
        assertRefused(SagaError.INVALID_DURATION, call)
                .hasMessageContaining(setting)
                .hasMessageMatching(".*refused: from PT\\S+ to PT\\S+");
    }
}
