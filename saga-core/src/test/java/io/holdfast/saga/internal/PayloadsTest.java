package io.holdfast.saga.internal;

import static io.holdfast.saga.Refusals.assertCoded;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.PayloadException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.spi.PayloadCodec;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The codec's JSON is taken as it is here: the value to be encoded is its own JSON. */
class PayloadsTest {
    private static final int LIMIT = 1000;
    private static final String SMILE = "😀";

    private final Payloads payloads = new Payloads(new AsItIs(), LIMIT);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1}",
                "\"" + SMILE + "\"",
                "\"\\ud83d\\ude00\"",
                "\"\\uD83D\\uDE00\"",
                "{\"\\ud83d\\ude00\":\"" + SMILE + "\"}",
                "\"\\\\u0000 is how JSON writes a NUL\"",
                "\"\\\\ud800 too\"",
                "\"\\\\\\\\u0000\"",
                "\"\\u0001\\u00e4\\n\"",
                "\"u0000\"",
                "7"
            })
    void what_can_be_stored_is_not_changed(String json) {
        assertThat(payloads.encode("data", json)).isEqualTo(json);
    }

    @DisplayName("B82: a NUL or half a pair, raw or escaped, in keys and values, is refused")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"a\\u0000b\"",
                "{\"a\\u0000b\":1}",
                "{\"a\":{\"b\":[1,\"\\u0000\"]}}",
                "\"\\\\\\u0000\"",
                "\"\\ud800\"",
                "\"\\uD800\"",
                "\"\\udc00\\ud83d\"",
                "\"\\ud83d \\ude00\"",
                "{\"\\ud83d\":\"\\ude00\"}",
                "\"\\ud83d\\ud83d\\ude00\"",
                "\"\\ud83d\\\\ude00\"",
                "\"a\u0000b\"",
                "\"\uD800\"",
                "\"\uDC00\uD83D\"",
                "{\"\uD800\":1}",
                "\"\uD83D" + "\\ude00\"",
                "\"\\ud83d\uDE00\""
            })
    void what_cannot_be_stored_is_refused(String json) {
        assertCoded(PayloadException.class, SagaError.PAYLOAD_NOT_STORABLE, () -> payloads.encode("data", json))
                .hasMessageContaining("data contains a NUL character or an unpaired surrogate");
    }

    @Test
    void a_long_run_of_backslashes_is_no_trap() {
        Payloads large = new Payloads(new AsItIs(), 1 << 20);
        String run = "\\".repeat(400_000);

        assertThat(large.encode("data", "\"" + run + "u0000\"")).hasSize(400_007);
        assertCoded(
                PayloadException.class,
                SagaError.PAYLOAD_NOT_STORABLE,
                () -> large.encode("data", "\"" + run + "\\u0000\""));
    }

    @Test
    @DisplayName("B84: too large a payload is refused with its size and the limit")
    void too_large_is_refused_with_its_size() {
        assertThat(payloads.encode("data", "1".repeat(LIMIT))).hasSize(LIMIT);
        assertCoded(
                        PayloadException.class,
                        SagaError.PAYLOAD_TOO_LARGE,
                        () -> payloads.encode("result of step \"a\"", "1".repeat(LIMIT + 1)))
                .hasMessageContaining("result of step \"a\" has 1001 characters")
                .hasMessageContaining("limit is 1000");
    }

    @Test
    void what_the_codec_cannot_write_keeps_its_cause() {
        assertCoded(PayloadException.class, SagaError.PAYLOAD_NOT_STORABLE, () -> payloads.encode("data", 7))
                .hasMessageContaining("java.lang.Integer")
                .hasCauseInstanceOf(ClassCastException.class);
    }

    @Test
    void a_value_that_contains_itself_is_refused() {
        Payloads endless = new Payloads(new Endless(), LIMIT);

        assertCoded(PayloadException.class, SagaError.PAYLOAD_NOT_STORABLE, () -> endless.encode("data", ""))
                .hasCauseInstanceOf(StackOverflowError.class);
        assertCoded(PayloadException.class, SagaError.PAYLOAD_NOT_STORABLE, () -> endless.fingerprint(""));
    }

    @Test
    void what_cannot_be_read_says_which_class_was_wanted() {
        assertCoded(
                        PayloadException.class,
                        SagaError.PAYLOAD_UNREADABLE,
                        () -> payloads.decode("data of saga 1", "x", Integer.class))
                .hasMessageContaining("data of saga 1 cannot be read as java.lang.Integer")
                .hasCauseInstanceOf(ClassCastException.class);
    }

    @Test
    void a_receipt_is_the_librarys_own_and_passes_by_the_codec() {
        Receipt receipt = new Receipt("{\"rows\": []}");

        assertThat(payloads.encode("result", receipt)).isEqualTo(receipt.json());
        assertThat(payloads.decode("result", receipt.json(), Receipt.class)).isEqualTo(receipt);
    }

    @Test
    void equal_identities_have_one_fingerprint() {
        assertThat(payloads.fingerprint("a"))
                .isEqualTo(payloads.fingerprint("a"))
                .isNotEqualTo(payloads.fingerprint("b"))
                .matches("[0-9a-f]{64}");
    }

    private static class AsItIs implements PayloadCodec {
        @Override
        public String encode(Object value) {
            return (String) value;
        }

        @Override
        public <T> T decode(String json, Class<T> type) {
            return type.cast(json);
        }

        @Override
        public String canonical(Object value) {
            return encode(value);
        }
    }

    private static final class Endless extends AsItIs {
        @Override
        @SuppressWarnings("InfiniteRecursion") // as a cyclic value would
        public String encode(Object value) {
            return encode(value);
        }
    }
}
