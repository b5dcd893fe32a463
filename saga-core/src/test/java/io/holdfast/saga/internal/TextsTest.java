package io.holdfast.saga.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("B82: what PostgreSQL cannot store as text")
class TextsTest {
    private static final String SMILE = "😀";

    @ParameterizedTest
    @ValueSource(strings = {"", "abc", "ä€名", SMILE, "a" + SMILE + "b" + SMILE, "\t\n\r", "\uFFFD", "\uFFFF"})
    void what_can_be_stored_stays_as_it_is(String text) {
        assertThat(Texts.isStorable(text)).isTrue();
        assertThat(Texts.storable(text, 100)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0000",
                "a\u0000b",
                "\uD800",
                "\uDC00",
                "\uDC00\uD83D",
                "a\uD83D",
                "\uD83Da",
                "\uD83D\uD83D\uDE00",
                "\uD83D\uDE00\uDE00"
            })
    void a_nul_or_half_a_pair_cannot(String text) {
        assertThat(Texts.isStorable(text)).isFalse();
        String clean = Texts.storable(text, 100);
        assertThat(Texts.isStorable(clean)).isTrue();
        assertThat(clean).hasSameSizeAs(text).contains("\uFFFD");
    }

    @Test
    void only_what_is_broken_is_replaced() {
        assertThat(Texts.storable("a\u0000" + SMILE + "\uDC00b", 100)).isEqualTo("a\uFFFD" + SMILE + "\uFFFDb");
    }

    @Test
    void a_cut_never_splits_a_pair() {
        for (int shift = 0; shift < 4; shift++) {
            String text = "x".repeat(shift) + SMILE.repeat(50);
            String cut = Texts.storable(text, 20);
            assertThat(cut).hasSizeBetween(19, 20).endsWith("…").doesNotContain("\uFFFD");
            assertThat(text).startsWith(cut.substring(0, cut.length() - 1));
        }
    }

    @Test
    void a_text_of_just_that_length_is_not_cut() {
        assertThat(Texts.storable("x".repeat(20), 20)).isEqualTo("x".repeat(20));
        assertThat(Texts.storable("x".repeat(21), 20)).isEqualTo("x".repeat(19) + "…");
    }

    @Test
    void what_is_printed_is_one_short_line() {
        String printed = Texts.printable("a\nb\u001B[31m\u0000\u007F" + "c".repeat(500));

        assertThat(printed).hasSizeLessThanOrEqualTo(120).doesNotContain("\n", "\u001B", "\u0000", "\u007F");
    }
}
