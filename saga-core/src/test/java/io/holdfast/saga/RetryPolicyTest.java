package io.holdfast.saga;

import static io.holdfast.saga.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryPolicyTest {
    private static final Duration DAY = Duration.ofDays(1);

    @Test
    void exponential_delays_double_up_to_their_cap() {
        RetryPolicy policy = RetryPolicy.exponential(Duration.ofMillis(100), Duration.ofSeconds(1));

        assertThat(policy.delayCap(1)).isEqualTo(Duration.ofMillis(100));
        assertThat(policy.delayCap(2)).isEqualTo(Duration.ofMillis(200));
        assertThat(policy.delayCap(4)).isEqualTo(Duration.ofMillis(800));
        assertThat(policy.delayCap(5)).isEqualTo(Duration.ofSeconds(1));
        assertThat(policy.delayCap(6)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void a_fixed_delay_never_changes() {
        RetryPolicy policy = RetryPolicy.fixed(Duration.ofSeconds(3));

        assertThat(policy.isFixed()).isTrue();
        assertThat(policy.delayCap(1)).isEqualTo(policy.delayCap(1_000_000)).isEqualTo(Duration.ofSeconds(3));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 31, 32, 33, 34, 40, 41, 63, 64, 65, 1000, 1_000_000, Integer.MAX_VALUE})
    void no_number_of_failures_overflows(int failures) {
        for (Duration first : new Duration[] {Duration.ofMillis(1), Duration.ofSeconds(1), Duration.ofHours(23)}) {
            Duration delay = RetryPolicy.exponential(first, DAY).delayCap(failures);
            assertThat(delay).isBetween(first, DAY);
        }
    }

    @Test
    void delays_never_get_shorter() {
        RetryPolicy policy = RetryPolicy.exponential(Duration.ofMillis(7), DAY);
        Duration last = Duration.ZERO;
        for (int failures = 1; failures < 100; failures++) {
            assertThat(policy.delayCap(failures)).isGreaterThanOrEqualTo(last);
            last = policy.delayCap(failures);
        }
        assertThat(last).isEqualTo(DAY);
    }

    @Test
    void retries_end_by_default_and_undoing_is_more_patient() {
        assertThat(RetryPolicy.DEFAULT.attemptLimit()).hasValue(5);
        assertThat(RetryPolicy.PATIENT.attemptLimit()).hasValue(20);
        assertThat(RetryPolicy.fixed(DAY).attemptLimit()).hasValue(5);
        assertThat(RetryPolicy.PATIENT.delayCap(20)).isGreaterThan(RetryPolicy.DEFAULT.delayCap(20));
    }

    @Test
    void for_ever_is_chosen_by_name() {
        RetryPolicy policy = RetryPolicy.DEFAULT.forever();

        assertThat(policy.attemptLimit()).isEmpty();
        assertThat(policy).hasToString("PT0.1S doubling to PT10S, for ever");
        assertThat(RetryPolicy.DEFAULT.attemptLimit())
                .as("the original is unchanged")
                .hasValue(5);
    }

    @Test
    void one_attempt_is_none_more() {
        assertThat(RetryPolicy.none().attemptLimit()).hasValue(1);
        assertThat(RetryPolicy.none().timeLimit()).isEmpty();
        assertThat(RetryPolicy.none().delayCap(1)).isZero();
    }

    @Test
    void a_time_limit_is_kept_beside_the_attempts() {
        RetryPolicy policy = RetryPolicy.DEFAULT.maxElapsed(DAY).maxAttempts(7);

        assertThat(policy.timeLimit()).contains(DAY);
        assertThat(policy.attemptLimit()).hasValue(7);
        assertThat(policy.forever().timeLimit()).contains(DAY);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, 1_000_001, Integer.MAX_VALUE})
    void a_number_of_attempts_out_of_range_is_refused(int attempts) {
        assertRefused(SagaError.INVALID_LIMIT, () -> RetryPolicy.DEFAULT.maxAttempts(attempts))
                .hasMessageContaining("attempts " + attempts + " is refused: from 1 to 1000000");
    }
}
