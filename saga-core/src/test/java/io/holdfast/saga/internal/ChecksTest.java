package io.holdfast.saga.internal;

import static io.holdfast.saga.Refusals.assertMisuse;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.SagaError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Business keys and reasons: given in calls to the running engine, so refused as misuse. */
class ChecksTest {
    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n", "\u2003", "a\u0000b", "\uD800", "\uDC00\uD83D"})
    void a_hostile_business_key_is_refused(String key) {
        assertMisuse(SagaError.INVALID_BUSINESS_KEY, () -> Checks.businessKey(key))
                .hasMessageContaining("1 to 200 characters, not blank")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\u0000", "\n", "\t"));
    }

    @Test
    void a_business_key_has_200_characters_at_most() {
        assertThat(Checks.businessKey("x".repeat(200))).hasSize(200);
        assertMisuse(SagaError.INVALID_BUSINESS_KEY, () -> Checks.businessKey("x".repeat(201)));
        assertMisuse(SagaError.NULL_ARGUMENT, () -> Checks.businessKey(null)).hasMessageContaining("business key");
    }

    @ParameterizedTest
    @ValueSource(strings = {"order 42", "ä/€", "😀", " padded ", "'; drop table saga --"})
    void any_other_text_is_a_business_key(String key) {
        assertThat(Checks.businessKey(key)).isEqualTo(key);
    }

    @Test
    void a_reason_is_neither_missing_nor_blank_nor_a_novel() {
        assertMisuse(SagaError.NULL_ARGUMENT, () -> Checks.reason("reason", null));
        assertMisuse(SagaError.INVALID_LIMIT, () -> Checks.reason("reason", " "));
        assertMisuse(SagaError.INVALID_LIMIT, () -> Checks.reason("reason", "x".repeat(501)))
                .hasMessageContaining("1 to 500 characters");
        assertThat(Checks.reason("reason", "x".repeat(500))).hasSize(500);
    }

    @Test
    void a_reason_is_made_fit_to_be_stored() {
        assertThat(Checks.reason("reason", "a\u0000b")).isEqualTo("a\uFFFDb");
    }
}
