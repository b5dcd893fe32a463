package io.holdfast.saga.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.jdbc.audit.SagaQuery;
import io.holdfast.saga.jdbc.testing.Effects;
import io.holdfast.saga.jdbc.testing.Fixtures;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@PostgresTest
class SessionStateTest {
    private static final int CONNECTIONS = 4;

    private final TestDatabase database;

    SessionStateTest(TestDatabase database) {
        this.database = database;
    }

    @Test
    @DisplayName(
            "B118: the library leaves nothing behind in a session: no setting, no lock, no listener, no temporary table")
    void the_library_leaves_nothing_behind_in_a_session() throws Exception {
        HikariDataSource pool = database.pool(CONNECTIONS, config -> config.setMinimumIdle(CONNECTIONS));
        Schema.migrate(database.dataSource(), Schema.DEFAULT_NAME);
        Fixtures.install(database.dataSource(), Fixtures.ORDERS);
        List<Object> before = onEachConnection(pool);

        everythingOnce(pool);

        assertThat(onEachConnection(pool)).isEqualTo(before);
        assertThat(Sql.value(
                        database.dataSource(),
                        Long.class,
                        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
                                + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"))
                .isZero();
    }

    private void everythingOnce(HikariDataSource pool) throws SQLException {
        try (var effects = Effects.install(database)) {
            var trip = new Trip(database.dataSource(), effects);
            trip.when("pay", ctx -> {
                if (ctx.data().number() == 2) {
                    throw new Trip.Declined();
                }
                if (ctx.data().number() == 3) {
                    throw new IllegalStateException("in doubt");
                }
            });
            trip.when("note", ctx -> {
                if (ctx.data().number() == 4) {
                    throw new IllegalStateException("not at all");
                }
            });
            trip.abandoned(Trip.TYPE, 5);
            var lock = JdbcSteps.of(Trip.Data.class)
                    .lock(BusinessTable.of("orders"), Trip.Data::number)
                    .from("NEW");
            var locking = io.holdfast.saga.SagaDefinition.builder(Trip.OTHER)
                    .step(lock.claim("claim"))
                    .pivot(lock.release("release", "DONE"))
                    .build();
            try (var sagas = trip.engine(pool)
                    .register(locking)
                    .lease(Duration.ofMillis(300))
                    .build()) {
                for (int number = 1; number <= 4; number++) {
                    sagas.start(Trip.TYPE, "trip " + number, Trip.Data.of(number))
                            .await(Trip.LIMIT);
                }
                assertThat(sagas.start(Trip.OTHER, "lock", Trip.Data.of(1))
                                .await(Trip.LIMIT)
                                .orElseThrow()
                                .state())
                        .isEqualTo(SagaState.COMPLETED);
                try (Connection connection = pool.getConnection()) {
                    connection.setAutoCommit(false);
                    sagas.startIn(connection, Trip.TYPE, "joined", Trip.Data.of(6));
                    connection.commit();
                }
                await().atMost(Trip.LIMIT).until(() -> trip.count(SagaState.COMPLETED) == 4);
                sagas.audit().find(SagaQuery.all());
                sagas.handle(Trip.TYPE, "trip 1").cancel("too late");
            }
            assertThat(trip.count(SagaState.COMPENSATED)).isEqualTo(2);
            assertThat(trip.count(SagaState.STUCK)).isEqualTo(1);
        }
    }

    /** Takes every connection of the pool at once, and looks at its session. */
    private static List<Object> onEachConnection(HikariDataSource pool) throws SQLException {
        List<Connection> all = new ArrayList<>();
        List<Object> states = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            Connection connection = pool.getConnection();
            all.add(connection);
            states.add(Map.of(
                    "settings", Sql.rows(connection, "SELECT name, setting FROM pg_settings ORDER BY name"),
                    "listening", Sql.rows(connection, "SELECT pg_listening_channels()"),
                    "temporary", Sql.rows(connection, "SELECT relname FROM pg_class WHERE relpersistence = 't'"),
                    "autocommit", connection.getAutoCommit(),
                    "isolation", connection.getTransactionIsolation(),
                    "read-only", connection.isReadOnly()));
        }
        for (Connection connection : all) {
            connection.close();
        }
        return states;
    }
}
