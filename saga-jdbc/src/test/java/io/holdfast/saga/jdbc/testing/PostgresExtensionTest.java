package io.holdfast.saga.jdbc.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** Runs test classes that leak, or that note what they were given, inside a test. */
class PostgresExtensionTest {

    private static final List<String> GIVEN = new ArrayList<>();

    @BeforeEach
    void nothing_given_yet() {
        GIVEN.clear();
    }

    @Test
    void an_open_transaction_fails_the_test_that_left_it() {
        assertThat(failures(run(LeavesTransactionOpen.class)))
                .singleElement()
                .asString()
                .startsWith("the test left behind in holdfast_")
                .contains(" idle in transaction, 0 advisory lock(s), last statement: SELECT 'forgotten'");
    }

    @Test
    void an_advisory_lock_fails_the_test_that_left_it() {
        assertThat(failures(run(LeavesAdvisoryLock.class)))
                .singleElement()
                .asString()
                .contains(" idle, 1 advisory lock(s), last statement: SELECT pg_advisory_lock(7)");
    }

    @Test
    void a_pooled_connection_not_given_back_fails_the_test_that_took_it() {
        assertThat(failures(run(LeavesConnectionOut.class)))
                .singleElement()
                .asString()
                .contains("1 connection(s) of ", " not given back");
    }

    @Test
    void a_leak_in_a_shared_database_fails_one_test_and_is_then_gone() {
        var events = run(LeaksOnce.class);

        events.assertStatistics(statistics -> statistics.failed(1).succeeded(1));
        assertThat(failures(events)).singleElement().asString().contains("idle in transaction (aborted)");
    }

    @Test
    void a_database_per_test_is_one_throughout_the_test_and_another_in_the_next() {
        run(OneEach.class).assertStatistics(statistics -> statistics.succeeded(2));

        assertThat(GIVEN).hasSize(8);
        assertThat(GIVEN.subList(0, 4)).containsOnly(GIVEN.get(0));
        assertThat(GIVEN.subList(4, 8)).containsOnly(GIVEN.get(4)).doesNotContain(GIVEN.get(0));
    }

    @Test
    void a_database_per_class_is_shared_with_nested_classes_and_dropped_in_the_end() {
        run(OneForAll.class).assertStatistics(statistics -> statistics.succeeded(2));

        assertThat(GIVEN).hasSize(3).containsOnly(GIVEN.get(0));
        assertThat(Maintenance.rows("SELECT datname FROM pg_database WHERE datname = ?", GIVEN.get(0)))
                .isEmpty();
    }

    @Test
    void a_database_per_test_cannot_be_had_before_there_is_a_test() {
        var events = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(TooEarly.class))
                .execute()
                .containerEvents();

        assertThat(failures(events)).singleElement().asString().contains("use @PostgresTest(PER_CLASS)");
    }

    private static Events run(Class<?> tests) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(tests))
                .execute()
                .testEvents();
    }

    private static List<String> failures(Events events) {
        return events.failed()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .map(result -> result.getThrowable().orElseThrow().getMessage())
                .toList();
    }

    @PostgresTest
    static class LeavesTransactionOpen {
        @Test
        void test(TestDatabase database) {
            OpenTransaction.begin(database.dataSource()).value(String.class, "SELECT 'forgotten'");
        }
    }

    @PostgresTest
    static class LeavesAdvisoryLock {
        @Test
        void test(TestDatabase database) throws SQLException {
            Sql.execute(database.dataSource().getConnection(), "SELECT pg_advisory_lock(7)");
        }
    }

    @PostgresTest
    static class LeavesConnectionOut {
        @Test
        void test(TestDatabase database) throws SQLException {
            assertThat(database.pool(2).getConnection().isValid(5)).isTrue();
        }
    }

    @PostgresTest(PostgresTest.Scope.PER_CLASS)
    static class LeaksOnce {
        private static boolean leaked;

        @Test
        void one(TestDatabase database) {
            leakOnce(database);
        }

        @Test
        void other(TestDatabase database) {
            leakOnce(database);
        }

        private static void leakOnce(TestDatabase database) {
            if (!leaked) {
                leaked = true;
                var transaction = OpenTransaction.begin(database.dataSource());
                assertThat(catchThrowable(() -> transaction.execute("SELECT 1/0")))
                        .isInstanceOf(SqlFailure.class);
            }
        }
    }

    @PostgresTest
    static class OneEach {
        OneEach(TestDatabase database) {
            GIVEN.add(database.name());
        }

        @BeforeEach
        void before(TestDatabase database) {
            GIVEN.add(database.name());
        }

        @AfterEach
        void after(TestDatabase database) {
            GIVEN.add(database.name());
        }

        @Test
        void one(TestDatabase database) {
            GIVEN.add(database.name());
        }

        @Test
        void other(TestDatabase database) {
            GIVEN.add(database.name());
        }
    }

    @PostgresTest(PostgresTest.Scope.PER_CLASS)
    static class OneForAll {
        @BeforeAll
        static void before(TestDatabase database) {
            GIVEN.add(database.name());
        }

        @Test
        void one(TestDatabase database) {
            GIVEN.add(database.name());
        }

        @Nested
        class Inner {
            @Test
            void other(TestDatabase database) {
                GIVEN.add(database.name());
            }
        }
    }

    @PostgresTest
    static class TooEarly {
        @BeforeAll
        static void before(TestDatabase database) {
            GIVEN.add(database.name());
        }

        @Test
        void test() {}
    }
}
