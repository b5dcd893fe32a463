package io.holdfast.saga;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlaceholderTest {

    @Test
    void says_the_name() {
        assertThat(Placeholder.name()).isEqualTo("Holdfast");
    }
}
