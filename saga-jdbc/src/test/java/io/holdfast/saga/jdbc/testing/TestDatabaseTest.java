package io.holdfast.saga.jdbc.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.DriverManager;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;

@PostgresTest
class TestDatabaseTest {

    @Test
    void each_database_is_empty_and_has_a_name_of_its_own(TestDatabase database) {
        try (var other = TestDatabase.create()) {
            Sql.execute(other.dataSource(), "CREATE TABLE t (id int)");

            assertThat(other.name()).isNotEqualTo(database.name());
            assertThat(tables(database)).isZero();
            assertThat(tables(other)).isOne();
        }
    }

    @Test
    void closing_drops_it_even_while_somebody_is_connected(TestDatabase database) throws Exception {
        var other = TestDatabase.create();
        try (var connection = other.dataSource().getConnection()) {
            other.close();

            assertThat(connection.isValid(5)).isFalse();
        }
        assertThat(Sql.rows(database.dataSource(), "SELECT FROM pg_database WHERE datname = ?", other.name()))
                .isEmpty();
    }

    @Test
    void its_sessions_live_in_another_time_zone_than_the_jvm(TestDatabase database) {
        for (var dataSource : new javax.sql.DataSource[] {database.dataSource(), database.pool(1)}) {
            var zone = TimeZone.getTimeZone(Sql.value(dataSource, String.class, "SHOW TimeZone"));
            assertThat(zone.getRawOffset()).isNotEqualTo(TimeZone.getDefault().getRawOffset());
        }
    }

    @Test
    void its_url_is_enough_to_log_in(TestDatabase database) throws Exception {
        try (var connection = DriverManager.getConnection(database.url())) {
            assertThat(Sql.value(connection, String.class, "SELECT current_database()::text"))
                    .isEqualTo(database.name());
        }
        try (var connection = DriverManager.getConnection(
                "jdbc:postgresql://" + database.host() + ":" + database.port() + "/" + database.name(),
                database.user(),
                database.password())) {
            assertThat(connection.isValid(5)).isTrue();
        }
    }

    @Test
    void an_attached_one_is_the_same_database_and_stays_when_closed(TestDatabase database) {
        try (var attached = TestDatabase.attach(database.url())) {
            Sql.execute(attached.pool(1), "CREATE TABLE t (id int)");
        }
        assertThat(tables(database)).isOne();
    }

    @Test
    void a_pool_has_the_size_it_was_given(TestDatabase database) throws Exception {
        var pool = database.pool(1, config -> config.setConnectionTimeout(250));
        try (var only = pool.getConnection()) {
            assertThat(only.isValid(5)).isTrue();
            assertThatThrownBy(pool::getConnection).hasMessageContaining("request timed out after");
        }
    }

    @Test
    void the_server_takes_many_connections_and_prepared_transactions(TestDatabase database) {
        assertThat(Sql.value(database.dataSource(), Integer.class, "SELECT current_setting('max_connections')::int"))
                .isGreaterThanOrEqualTo(100);
    }

    private static long tables(TestDatabase database) {
        return Sql.value(
                database.dataSource(), Long.class, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'");
    }
}
