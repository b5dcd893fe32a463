package io.holdfast.saga.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.jdbc.audit.SagaQuery;
import io.holdfast.saga.jdbc.testing.Effects;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@PostgresTest
class AutoCommitOffTest {
    private final TestDatabase database;

    AutoCommitOffTest(TestDatabase database) {
        this.database = database;
    }

    @Test
    @DisplayName("B76: whole sagas on a pool whose connections come with autocommit off")
    void whole_sagas_on_a_pool_with_autocommit_off() {
        HikariDataSource pool = database.pool(8, config -> config.setAutoCommit(false));

        wholeSagas(pool);
    }

    @Test
    @DisplayName("B76: whole sagas on connections that come with an open transaction")
    void whole_sagas_on_connections_that_come_with_an_open_transaction() {
        wholeSagas(new Begun(database.pool(8)));
    }

    private void wholeSagas(DataSource dataSource) {
        Schema.migrate(dataSource, Schema.DEFAULT_NAME);
        try (var effects = Effects.install(database)) {
            var trip = new Trip(database.dataSource(), effects);
            trip.when("pay", ctx -> {
                if (ctx.data().number() == 2) {
                    throw new Trip.Declined();
                }
            });
            UUID waiting = trip.waiting(Trip.TYPE, 3);
            UUID abandoned = trip.abandoned(Trip.TYPE, 4);
            try (var sagas = trip.engine(dataSource).build()) {
                var good = sagas.start(Trip.TYPE, "good", Trip.Data.of(1));
                var bad = sagas.start(Trip.TYPE, "bad", Trip.Data.of(2));

                assertThat(good.await(Trip.LIMIT).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
                assertThat(bad.await(Trip.LIMIT).orElseThrow().state()).isEqualTo(SagaState.COMPENSATED);
                effects.assertRan(good.sagaId(), Trip.ALL_DONE);
                effects.assertRan(
                        bad.sagaId(),
                        "book action",
                        "note action",
                        "pay action",
                        "note compensation",
                        "book compensation");
                await().atMost(Trip.LIMIT).until(() -> trip.count(SagaState.COMPLETED) == 3);
                effects.assertRan(waiting, Trip.ALL_DONE);
                effects.assertRan(abandoned, Trip.ALL_DONE);
                assertThat(sagas.audit().find(SagaQuery.all())).hasSize(4);
            }
        }
        assertThat(Sql.value(database.dataSource(), Long.class, "SELECT count(*) FROM holdfast.saga"))
                .isEqualTo(4);
    }

    /** Hands out connections with a transaction open, as a pool with a test query and autocommit off may. */
    private record Begun(DataSource pool) implements DataSource {
        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = pool.getConnection();
            connection.setAutoCommit(false);
            Sql.value(connection, Integer.class, "SELECT 1");
            return connection;
        }

        @Override
        public Connection getConnection(String username, String password) throws SQLException {
            throw new SQLException("not here");
        }

        @Override
        public PrintWriter getLogWriter() throws SQLException {
            return pool.getLogWriter();
        }

        @Override
        public void setLogWriter(PrintWriter out) throws SQLException {
            pool.setLogWriter(out);
        }

        @Override
        public void setLoginTimeout(int seconds) throws SQLException {
            pool.setLoginTimeout(seconds);
        }

        @Override
        public int getLoginTimeout() throws SQLException {
            return pool.getLoginTimeout();
        }

        @Override
        public Logger getParentLogger() {
            return Logger.getGlobal();
        }

        @Override
        public <T> T unwrap(Class<T> type) throws SQLException {
            return pool.unwrap(type);
        }

        @Override
        public boolean isWrapperFor(Class<?> type) throws SQLException {
            return pool.isWrapperFor(type);
        }
    }
}
