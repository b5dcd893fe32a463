package io.holdfast.saga.jdbc.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.util.List;
import org.junit.jupiter.api.Test;

@PostgresTest
class ServerLogTest {

    @Test
    void keeps_the_entries_of_one_database_with_all_their_lines() {
        var log = List.of(
                "db=,pid=1,LOG:  ready",
                "db=a,pid=2,ERROR:  one",
                "db=b,pid=3,ERROR:  two",
                "\tand on",
                "db=a,pid=2,LOG");

        assertThat(ServerLog.of("b", log)).containsExactly("db=b,pid=3,ERROR:  two", "\tand on");
        assertThat(ServerLog.of("a", log)).containsExactly("db=a,pid=2,ERROR:  one", "db=a,pid=2,LOG");
    }

    @Test
    void shows_what_went_wrong_in_the_tests_own_database(TestDatabase database) {
        assumeFalse(Maintenance.server() instanceof GivenServer, "the log of a given server cannot be read");
        try (var other = TestDatabase.create()) {
            assertThatThrownBy(() -> Sql.execute(other.dataSource(), "SELECT 1/0"))
                    .isInstanceOf(SqlFailure.class);
            await().untilAsserted(() -> assertThat(other.serverLog())
                    .anySatisfy(line -> assertThat(line).contains("ERROR:  division by zero")));
        }
        assertThat(database.serverLog()).isEmpty();
    }
}
