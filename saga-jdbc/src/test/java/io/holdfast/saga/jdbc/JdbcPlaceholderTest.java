package io.holdfast.saga.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JdbcPlaceholderTest {

    @Test
    void says_the_name() {
        assertThat(JdbcPlaceholder.name()).isEqualTo("Holdfast");
    }
}
