package io.holdfast.saga.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.examples.demo.Demo;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class DemoMainTest {
    @Test
    void every_scene_of_the_demo_ends_as_it_must() {
        var shown = new ByteArrayOutputStream();
        var wentWell = new Demo(new PrintStream(shown, true, StandardCharsets.UTF_8)).run();

        assertThat(wentWell).as(shown.toString(StandardCharsets.UTF_8)).isTrue();
    }
}
