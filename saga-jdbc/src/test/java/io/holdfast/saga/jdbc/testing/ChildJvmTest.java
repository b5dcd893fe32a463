package io.holdfast.saga.jdbc.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Scanner;
import org.junit.jupiter.api.Test;

@PostgresTest
class ChildJvmTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Test
    void runs_on_this_class_path_with_arguments_environment_and_options() {
        try (var child = ChildJvm.of(Greeter.class)
                .arguments("a b", "c")
                .environment("HOLDFAST_GREETING", "hello")
                .options("-Dgreeting.mark=!")
                .start()) {
            assertThat(child.awaitLine(line -> line.contains("hello"), LIMIT)).isEqualTo("hello a b c!");
            assertThat(child.awaitExit(LIMIT)).isEqualTo(7);
        }
    }

    @Test
    void works_in_the_database_of_the_test_and_goes_on_when_told(TestDatabase database) {
        try (var effects = Effects.install(database);
                var child = ChildJvm.start(Worker.class, database.url())) {
            child.awaitLine("holding"::equals, LIMIT);
            assertThat(effects.count("hold", Effect.ACTION)).isOne();

            child.send("go on");
            child.awaitLine("done"::equals, LIMIT);
            assertThat(effects.count("hold", Effect.COMPENSATION)).isOne();
        }
    }

    @Test
    void a_frozen_one_does_nothing_until_it_is_thawed(TestDatabase database) {
        try (var effects = Effects.install(database);
                var child = ChildJvm.start(Worker.class, database.url())) {
            child.awaitLine("holding"::equals, LIMIT);
            child.freeze();
            child.send("go on");
            assertThatThrownBy(() -> child.awaitLine("done"::equals, Duration.ofMillis(300)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("no such line");
            assertThat(child.isAlive()).isTrue();
            assertThat(effects.all()).hasSize(1);

            child.thaw();
            child.awaitLine("done"::equals, LIMIT);
        }
    }

    @Test
    void a_killed_one_is_gone_with_its_sessions(TestDatabase database) {
        try (var effects = Effects.install(database);
                var child = ChildJvm.start(Worker.class, database.url())) {
            child.awaitLine("holding"::equals, LIMIT);
            child.kill9();

            assertThat(child.isAlive()).isFalse();
            assertThat(child.awaitExit(LIMIT)).isEqualTo(128 + 9);
            assertThat(effects.all()).hasSize(1);
        }
    }

    @Test
    void closing_ends_even_a_frozen_one(TestDatabase database) {
        Effects.install(database).close();
        var child = ChildJvm.start(Worker.class, database.url());
        child.awaitLine("holding"::equals, LIMIT);
        child.freeze();
        child.close();

        assertThat(child.isAlive()).isFalse();
    }

    @Test
    void waiting_for_a_line_that_cannot_come_any_more_fails_at_once_and_shows_the_output() {
        try (var child = ChildJvm.start(ChildJvmTest.class)) {
            assertThatThrownBy(() -> child.awaitLine("ready"::equals, LIMIT))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("ended without printing such a line")
                    .hasMessageContaining("main");
        }
    }

    /** Says what it was given. */
    static final class Greeter {
        public static void main(String[] arguments) {
            System.out.println("before");
            System.out.println(System.getenv("HOLDFAST_GREETING") + " " + String.join(" ", arguments)
                    + System.getProperty("greeting.mark"));
            System.exit(7);
        }
    }

    /** Holds a transaction open until it is told to go on. */
    static final class Worker {
        public static void main(String[] arguments) {
            try (var database = TestDatabase.attach(arguments[0]);
                    var effects = Effects.in(database);
                    var transaction = OpenTransaction.begin(database.pool(1));
                    var told = new Scanner(System.in, UTF_8)) {
                effects.append(Effect.action(null, "hold"));
                System.out.println("holding");
                told.nextLine();
                effects.append(Effect.compensation(null, "hold"));
                transaction.commit();
                System.out.println("done");
            }
        }
    }
}
