package io.holdfast.saga.examples;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

class DemoMainTest {

    @Test
    void the_demo_ends_well() {
        assertThatCode(() -> DemoMain.main(new String[0])).doesNotThrowAnyException();
    }
}
