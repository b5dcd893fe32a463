package io.holdfast.saga.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStoreException;
import io.holdfast.saga.jdbc.testing.Effects;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.LoggerFactory;

@PostgresTest
class BuilderTest {
    private final TestDatabase database;
    private final DataSource dataSource;
    private final Effects effects;
    private final Trip trip;

    BuilderTest(TestDatabase database) {
        this.database = database;
        this.dataSource = database.dataSource();
        this.effects = Effects.install(database);
        this.trip = new Trip(dataSource, effects);
    }

    @AfterEach
    void close() {
        effects.close();
    }

    private static Arguments refused(String code, String rule, Consumer<JdbcSagas.Builder> setting) {
        return Arguments.of(code, rule, setting);
    }

    static Stream<Arguments> what_is_not_valid_is_refused_where_it_is_given() {
        return Stream.of(
                refused("SAGA-106", "definition", builder -> builder.register(null)),
                refused("SAGA-106", "listener", builder -> builder.listener(null)),
                refused("SAGA-106", "schema", builder -> builder.schema(null)),
                refused("SAGA-101", "not blank", builder -> builder.schema(" ")),
                refused("SAGA-101", "63", builder -> builder.schema("x".repeat(64))),
                refused("SAGA-101", "letters", builder -> builder.nodeName("a b")),
                refused("SAGA-106", "node", builder -> builder.nodeName(null)),
                refused("SAGA-106", "executor", builder -> builder.executor(null, 1)),
                refused("SAGA-105", "1 to 10000", builder -> builder.executor(Runnable::run, 0)),
                refused("SAGA-105", "1 to 10000", builder -> builder.capacity(10_001)),
                refused("SAGA-104", "PT0.1S to PT1H", builder -> builder.lease(Duration.ofMillis(99))),
                refused("SAGA-104", "PT0.1S to PT1H", builder -> builder.lease(Duration.ofHours(2))),
                refused("SAGA-106", "lease", builder -> builder.lease(null)),
                refused("SAGA-104", "PT0.01S to PT1H", builder -> builder.reapEvery(Duration.ZERO)),
                refused("SAGA-106", "scheduler", builder -> builder.scheduler(null)),
                refused("SAGA-106", "codec", builder -> builder.codec(null)),
                refused("SAGA-106", "heartbeat", builder -> builder.heartbeatDataSource(null)),
                refused("SAGA-104", "PT0S to PT1H", builder -> builder.closeGrace(Duration.ofMillis(-1))),
                refused("SAGA-105", "1 to 64000000", builder -> builder.maxPayloadChars(0)));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource
    void what_is_not_valid_is_refused_where_it_is_given(String code, String rule, Consumer<JdbcSagas.Builder> setting) {
        var builder = JdbcSagas.builder(dataSource);

        assertThatThrownBy(() -> setting.accept(builder))
                .isInstanceOf(SagaDefinitionException.class)
                .hasMessageContaining(code)
                .hasMessageContaining(rule);
    }

    @Test
    void a_builder_without_a_data_source_is_refused() {
        assertThatThrownBy(() -> JdbcSagas.builder(null)).hasMessageContaining("SAGA-106");
    }

    @Test
    void a_second_definition_of_one_version_is_refused() {
        assertThatThrownBy(() -> trip.engine().register(trip.definition()))
                .isInstanceOf(SagaDefinitionException.class)
                .hasMessageContaining("SAGA-118")
                .hasMessageContaining("trip v1");
    }

    @Test
    void missing_tables_are_said_with_what_to_do() {
        assertThatThrownBy(() -> trip.engine().build())
                .isInstanceOf(SagaDefinitionException.class)
                .hasMessageContaining("SAGA-122")
                .hasMessageContaining("Schema.migrate");
    }

    @Test
    void a_database_that_is_away_is_said_as_such() {
        var nowhere = new PGSimpleDataSource();
        nowhere.setServerNames(new String[] {"127.0.0.1"});
        nowhere.setPortNumbers(new int[] {1});

        assertThatThrownBy(() -> trip.engine(nowhere).build())
                .isInstanceOf(SagaStoreException.class)
                .hasMessageContaining("SAGA-601");
    }

    @Test
    void a_business_table_that_does_not_fit_is_refused_when_the_engine_is_built() {
        Schema.migrate(dataSource, Schema.DEFAULT_NAME);
        Sql.execute(dataSource, "CREATE TABLE public.loose (id bigint PRIMARY KEY, status text)");
        var steps = JdbcSteps.of(Trip.Data.class);
        var lock = steps.lock(BusinessTable.of("loose"), Trip.Data::number).from("NEW");
        var definition = io.holdfast.saga.SagaDefinition.builder(Trip.OTHER)
                .step(lock.claim("claim"))
                .pivot(lock.release("release", "DONE"))
                .build();

        assertThatThrownBy(() -> trip.engine().register(definition).build())
                .isInstanceOf(SagaDefinitionException.class)
                .hasMessageContaining("SAGA-120")
                .hasMessageContaining("saga_id");
    }

    @Test
    void a_schema_of_any_name_an_executor_and_a_heartbeat_of_its_own_will_do() {
        String schema = "Sagas \"of\" a.b; --";
        Schema.migrate(dataSource, schema);
        var threads = Executors.newFixedThreadPool(2);
        try (var sagas = trip.engine()
                .schema(schema)
                .executor(threads, 2)
                .heartbeatDataSource(dataSource)
                .nodeName("n-1")
                .build()) {
            var saga = sagas.start(Trip.TYPE, "o-1", Trip.Data.of(1));
            assertThat(saga.await(Trip.LIMIT).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
            assertThat(sagas.audit().timeline(saga.sagaId()))
                    .isNotEmpty()
                    .allMatch(entry -> entry.node().startsWith("n-1-"));
        }
        assertThat(threads.isShutdown()).isFalse();
        threads.shutdown();
    }

    @Test
    void data_longer_than_the_limit_is_refused_with_both_sizes() {
        Schema.migrate(dataSource, Schema.DEFAULT_NAME);
        try (var sagas = trip.engine().maxPayloadChars(100).build()) {
            assertThatThrownBy(() -> sagas.start(Trip.TYPE, "o-1", new Trip.Data(1, "x".repeat(100))))
                    .hasMessageContaining("SAGA-502")
                    .hasMessageContaining("100");
            assertThat(sagas.handle(Trip.TYPE, "o-1").snapshot()).isEmpty();
        }
    }

    @Test
    void a_pool_that_is_too_small_and_a_server_that_may_lose_commits_are_warned_of() {
        Schema.migrate(dataSource, Schema.DEFAULT_NAME);
        Sql.execute(dataSource, "ALTER DATABASE " + database.name() + " SET synchronous_commit = off");
        assertThat(warnings(database.pool(5), 4))
                .anyMatch(line -> line.contains("The connection pool has 5 connections; 4 sagas"))
                .anyMatch(line -> line.contains("synchronous_commit"));
        assertThat(warnings(database.pool(6), 4)).noneMatch(line -> line.contains("connection pool"));
        assertThat(warnings(dataSource, 4)).noneMatch(line -> line.contains("connection pool"));
    }

    private java.util.List<String> warnings(DataSource source, int capacity) {
        var log = (Logger) LoggerFactory.getLogger("io.holdfast.saga.jdbc.internal");
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        log.addAppender(lines);
        try {
            trip.engine(source).capacity(capacity).build().close();
            return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        } finally {
            log.detachAppender(lines);
        }
    }
}
