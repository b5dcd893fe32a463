package io.holdfast.saga.examples.tutorial;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.jdbc.testing.ChildJvm;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The tutorial's program is this package's, and it survives what the tutorial does to it. */
@PostgresTest
class TutorialTest {
    private static final Path PAGE = Path.of("..", "docs", "tutorial.md");
    private static final Path PROGRAM = Path.of("src/test/java/io/holdfast/saga/examples/tutorial/Tutorial.java");
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final TestDatabase database;

    TutorialTest(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void createOrders() throws IOException {
        Sql.execute(database.dataSource(), shown(Files.readString(PAGE), "sql"));
    }

    @Test
    void the_page_shows_this_program() throws IOException {
        String program = Files.readString(PROGRAM);
        assertThat(shown(Files.readString(PAGE), "java")).isEqualTo(program.substring(program.indexOf("import ")));
    }

    @Test
    void a_saga_killed_in_the_middle_is_finished_by_the_next_run() {
        String called;
        try (ChildJvm first = ChildJvm.start(Tutorial.class, database.url(), "1")) {
            called = first.awaitLine(line -> line.startsWith("calling the carrier"), LIMIT);
            first.kill9();
        }
        try (ChildJvm second = ChildJvm.start(Tutorial.class, database.url(), "1")) {
            assertThat(second.awaitLine(line -> line.startsWith("calling the carrier"), LIMIT))
                    .isEqualTo(called);
            second.awaitLine("COMPLETED"::equals, LIMIT);
        }
        assertThat(order(1)).isEqualTo("SHIPPED 1 null");
    }

    @Test
    void what_the_carrier_rejects_is_undone() {
        try (ChildJvm run = ChildJvm.start(Tutorial.class, database.url(), "2")) {
            run.awaitLine("COMPENSATED"::equals, LIMIT);
        }
        assertThat(order(2)).isEqualTo("NEW 0 null");
    }

    private String order(long id) {
        return Sql.value(
                database.dataSource(),
                String.class,
                "select status || ' ' || boxes || ' ' || coalesce(saga_id::text, 'null') from orders where id = ?",
                id);
    }

    private static String shown(String page, String language) {
        String fence = "```" + language + "\n";
        int from = page.indexOf(fence) + fence.length();
        return page.substring(from, page.indexOf("```\n", from));
    }
}
