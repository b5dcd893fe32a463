package io.holdfast.saga.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.jdbc.testing.Effects;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@PostgresTest
class StartInTransactionTest {
    private final TestDatabase database;
    private final DataSource dataSource;
    private final Effects effects;
    private final Trip trip;
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private JdbcSagas sagas;

    StartInTransactionTest(TestDatabase database) {
        this.database = database;
        this.dataSource = database.pool(8);
        this.effects = Effects.install(database);
        this.trip = new Trip(dataSource, effects);
    }

    @BeforeEach
    void begin() {
        Schema.migrate(dataSource, Schema.DEFAULT_NAME);
        Sql.execute(dataSource, "CREATE TABLE orders (id bigint PRIMARY KEY)");
        sagas = trip.engine()
                .listener((saga, entry) -> heard.add(saga.businessKey() + " " + entry.kind()))
                .build();
    }

    @AfterEach
    void close() {
        sagas.close();
        effects.close();
    }

    enum End {
        COMMIT,
        ROLLBACK,
        EXCEPTION
    }

    private static final class Expected extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private SagaHandle handle() {
        return sagas.handle(Trip.TYPE, "o-1");
    }

    private void assertEnded(End end) {
        long orders = Sql.value(dataSource, Long.class, "SELECT count(*) FROM orders");
        if (end == End.COMMIT) {
            assertThat(orders).isOne();
            assertThat(handle().await(Trip.LIMIT).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
            effects.assertRan(handle().sagaId(), Trip.ALL_DONE);
        } else {
            assertThat(orders).isZero();
            assertThat(handle().snapshot()).isEmpty();
            // the hints and some ticks of the reaper pass
            sagas.reaper().tick();
            assertThat(effects.all()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("B74: plain JDBC: the saga shares the fate of the transaction, which stays as it is")
    void with_plain_jdbc_the_saga_shares_the_fate_of_the_transaction(End end) throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            Sql.execute(connection, "INSERT INTO orders VALUES (1)");
            String before = state(connection);

            sagas.startIn(connection, Trip.TYPE, "o-1", Trip.Data.of(1));

            assertThat(state(connection)).isEqualTo(before);
            assertThat(connection.getAutoCommit()).isFalse();
            assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
            assertThat(connection.isClosed()).isFalse();
            if (end == End.COMMIT) {
                connection.commit();
            } else if (end == End.ROLLBACK) {
                connection.rollback();
            } // else the connection is closed without a word, as by an exception
        }
        assertEnded(end);
    }

    /** The transaction, and every setting that it or its session has. */
    private static String state(Connection connection) {
        return Sql.value(connection, String.class, "SELECT pg_current_xact_id()::text")
                + Sql.rows(connection, "SELECT name, setting FROM pg_settings ORDER BY name");
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("B74: jOOQ: the saga shares the fate of the transaction")
    void with_jooq_the_saga_shares_the_fate_of_the_transaction(End end) {
        var dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
        try {
            dsl.transaction(tx -> {
                tx.dsl().execute("insert into orders values (1)");
                sagas.startIn(tx.dsl(), Trip.TYPE, "o-1", Trip.Data.of(1));
                if (end != End.COMMIT) {
                    throw new Expected();
                }
            });
        } catch (Expected e) {
            assertThat(end).isNotEqualTo(End.COMMIT);
        }
        assertEnded(end);
    }

    @Test
    @DisplayName("B75: nothing of the saga runs before the commit, and all of it once after it")
    void nothing_runs_before_the_commit_and_all_of_it_once_after_it() throws Exception {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            var saga = sagas.startIn(connection, Trip.TYPE, "o-1", Trip.Data.of(1));

            // past the hints that follow a start
            await().pollDelay(Duration.ofMillis(700)).until(() -> true);
            assertThat(sagas.reaper().tick().woken()).isZero();
            assertThat(effects.all()).isEmpty();
            assertThat(saga.snapshot()).isEmpty();
            assertThat(saga.await(Duration.ofMillis(1))).isEmpty();
            connection.commit();

            assertThat(saga.await(Trip.LIMIT).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
            effects.assertRan(saga.sagaId(), Trip.ALL_DONE);
        }
    }

    @Test
    void listeners_hear_nothing_of_a_saga_that_was_rolled_back() throws Exception {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            sagas.startIn(connection, Trip.TYPE, "o-1", Trip.Data.of(1));
            connection.rollback();
        }
        assertThat(heard).isEmpty();
    }

    @Test
    void starting_again_in_the_same_transaction_finds_the_saga() throws Exception {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            var first = sagas.startIn(connection, Trip.TYPE, "o-1", Trip.Data.of(1));
            var second = sagas.startIn(connection, Trip.TYPE, "o-1", Trip.Data.of(1));
            assertThat(second.sagaId()).isEqualTo(first.sagaId());
            assertThatThrownBy(() -> sagas.startIn(connection, Trip.TYPE, "o-1", Trip.Data.of(2)))
                    .hasMessageContaining("SAGA-210");
            // refused in the JVM: the transaction lives
            connection.commit();
        }
        assertThat(handle().await(Trip.LIMIT)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"autocommit", "read-only", "read-only transaction", "aborted"})
    void what_cannot_be_joined_is_refused(String kind) throws Exception {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit("autocommit".equals(kind));
            connection.setReadOnly("read-only".equals(kind));
            if ("read-only transaction".equals(kind)) {
                Sql.execute(connection, "SET TRANSACTION READ ONLY");
            } else if ("aborted".equals(kind)) {
                assertThatThrownBy(() -> Sql.execute(connection, "SELECT 1 / 0"))
                        .isNotNull();
            }
            assertThatThrownBy(() -> sagas.startIn(connection, Trip.TYPE, "o-1", Trip.Data.of(1)))
                    .isInstanceOfSatisfying(
                            SagaUsageException.class,
                            e -> assertThat(e.error()).isEqualTo(SagaError.TRANSACTION_REFUSED));
        }
        assertThat(handle().snapshot()).isEmpty();
    }

    @Test
    void above_read_committed_the_loser_of_a_race_is_told_to_run_its_transaction_again() throws Exception {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            Sql.value(connection, Long.class, "SELECT count(*) FROM orders");
            sagas.start(Trip.TYPE, "o-1", Trip.Data.of(1));

            assertThatThrownBy(() -> sagas.startIn(connection, Trip.TYPE, "o-1", Trip.Data.of(1)))
                    .isInstanceOf(SagaUsageException.class)
                    .hasMessageContaining("SAGA-207");
            connection.rollback();
        }
    }

    @Test
    void missing_arguments_are_refused() throws Exception {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> sagas.startIn((Connection) null, Trip.TYPE, "k", Trip.Data.of(1)))
                    .hasMessageContaining("SAGA-106");
            assertThatThrownBy(() -> sagas.startIn(connection, null, "k", Trip.Data.of(1)))
                    .hasMessageContaining("SAGA-106");
            assertThatThrownBy(() -> sagas.startIn(connection, Trip.TYPE, " ", Trip.Data.of(1)))
                    .hasMessageContaining("SAGA-201");
            assertThatThrownBy(() -> sagas.startIn(connection, Trip.TYPE, "k", null))
                    .hasMessageContaining("SAGA-106");
        }
    }
}
