package io.holdfast.saga.jdbc;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaSnapshot;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStoreException;
import io.holdfast.saga.jdbc.audit.SagaQuery;
import io.holdfast.saga.jdbc.testing.Effects;
import io.holdfast.saga.jdbc.testing.OpenTransaction;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TcpProxy;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@PostgresTest
class ReapingTest {
    private static final Duration NEVER = Duration.ofHours(1);

    private final TestDatabase database;
    private final DataSource dataSource;
    private final Effects effects;
    private final Trip trip;

    ReapingTest(TestDatabase database) {
        this.database = database;
        this.dataSource = database.pool(40);
        this.effects = Effects.install(database);
        this.trip = new Trip(dataSource, effects);
    }

    @BeforeEach
    void createTables() {
        Schema.migrate(dataSource, Schema.DEFAULT_NAME);
    }

    @AfterEach
    void close() {
        effects.close();
    }

    private List<UUID> abandoned(int count) {
        return LongStream.range(0, count)
                .mapToObj(number -> trip.abandoned(Trip.TYPE, number))
                .toList();
    }

    private void awaitCompleted(long count) {
        await().atMost(Trip.LIMIT)
                .untilAsserted(() -> assertThat(trip.count(SagaState.COMPLETED)).isEqualTo(count));
    }

    private void due(UUID sagaId, Duration ago) {
        Sql.execute(
                dataSource,
                "UPDATE holdfast.saga SET due_at = clock_timestamp() - ? * interval '1 millisecond' WHERE saga_id = ?",
                ago.toMillis(),
                sagaId);
    }

    @Test
    void a_tick_says_what_it_took_over_and_what_it_woke() {
        trip.abandoned(Trip.TYPE, 1);
        trip.waiting(Trip.TYPE, 2);
        trip.waiting(Trip.TYPE, 3);
        try (var sagas = trip.engine().reapEvery(NEVER).build()) {
            // the first tick of its own comes at once; either gets them
            await().until(() -> sagas.reaper().sinceLastTick().isPresent());
            var pass = sagas.reaper().tick();
            awaitCompleted(3);

            assertThat(pass.takenOver() + pass.woken()).isIn(0, 3);
            trip.abandoned(Trip.TYPE, 4);
            trip.waiting(Trip.TYPE, 5);
            trip.waiting(Trip.TYPE, 6);
            await().until(() -> sagas.handle(UUID.randomUUID()).snapshot().isEmpty());
            var next = sagas.reaper().tick();

            assertThat(next.takenOver()).isEqualTo(1);
            assertThat(next.woken()).isEqualTo(2);
            awaitCompleted(6);
        }
    }

    @Test
    @DisplayName("B87: a node leaves alone what it has no definition for, and another takes it at once")
    void a_node_leaves_alone_what_it_has_no_definition_for() {
        var other = LongStream.range(0, 20)
                .mapToObj(number -> trip.abandoned(Trip.OTHER, number))
                .toList();
        var mine = abandoned(20);
        SagaDefinition<Trip.Data> definition = trip.definition(Trip.OTHER);
        try (var a = trip.engine().build()) {
            awaitCompleted(20);
            a.reaper().tick();
            for (UUID id : other) {
                SagaSnapshot left = a.audit().find(id).orElseThrow();
                assertThat(left.attempts()).isZero();
                assertThat(left.takeovers()).isZero();
                assertThat(left.runSeq()).isEqualTo(1);
                assertThat(left.owner()).contains("dead-1");
            }
            try (var b = trip.engine().register(definition).build()) {
                awaitCompleted(40);
                assertThat(b.reaper().isLate()).isFalse();
            }
        }
        mine.forEach(id -> effects.assertRan(id, Trip.ALL_DONE));
        other.forEach(id -> effects.assertRan(id, Trip.ALL_DONE));
    }

    @Test
    @DisplayName("B87: a definition of the same version with other steps does not drive what was started with this one")
    void another_definition_of_the_same_version_does_not_drive_it() {
        UUID saga = trip.abandoned(Trip.TYPE, 1);
        Sql.execute(dataSource, "UPDATE holdfast.saga SET definition_hash = 'other'");
        try (var sagas = trip.engine().build()) {
            sagas.reaper().tick();
            sagas.reaper().tick();
            assertThat(sagas.audit().find(saga).orElseThrow().runSeq()).isEqualTo(1);
        }
        assertThat(effects.all()).isEmpty();
    }

    @Test
    @DisplayName("B88: one saga that cannot be read does not stop the pass for the others")
    void one_saga_that_cannot_be_read_does_not_stop_the_pass() {
        var ids = abandoned(20);
        UUID bad = ids.get(0);
        due(bad, Duration.ofHours(1));
        String raw = "{\"text\": \"x\", \"number\": null}";
        Sql.execute(dataSource, "UPDATE holdfast.saga SET data = ?::jsonb WHERE saga_id = ?", raw, bad);
        try (var sagas = trip.engine().capacity(20).reapEvery(NEVER).build()) {
            sagas.reaper().tick();
            awaitCompleted(19);

            await().atMost(Trip.LIMIT)
                    .until(() ->
                            sagas.audit().find(bad).orElseThrow().lastError().isPresent());
            var found = sagas.audit().find(bad).orElseThrow();
            assertThat(found.lastError().orElseThrow()).contains("SAGA-503");
            assertThat(found.state()).isNotEqualTo(SagaState.COMPLETED);
        }
        assertThat(Sql.value(dataSource, String.class, "SELECT data::text FROM holdfast.saga WHERE saga_id = ?", bad))
                .isEqualTo(raw);
        assertThat(effects.of(bad)).isEmpty();
    }

    @Test
    @DisplayName("B95: sagas that always fail, at the head of those due, do not starve the others")
    void sagas_that_always_fail_do_not_starve_the_others() {
        trip.when("book", ctx -> {
            if (ctx.data().number() < 10) {
                throw new IllegalStateException("poison");
            }
        });
        var ids = abandoned(70);
        ids.subList(0, 10).forEach(id -> due(id, Duration.ofHours(1)));
        try (var sagas = trip.engine().capacity(5).build()) {
            awaitCompleted(60);
            await().atMost(Trip.LIMIT).until(() -> trip.count(SagaState.COMPENSATED) == 10);
            assertThat(sagas.audit().find(SagaQuery.all().state(SagaState.RUNNING)))
                    .isEmpty();
        }
    }

    @Test
    @DisplayName("B95: sagas whose rows somebody has locked are passed over")
    void sagas_whose_rows_somebody_has_locked_are_passed_over() {
        var ids = abandoned(30);
        ids.subList(0, 10).forEach(id -> due(id, Duration.ofHours(1)));
        try (var locked = OpenTransaction.begin(dataSource)) {
            locked.execute(
                    "SELECT FROM holdfast.saga WHERE due_at < clock_timestamp() - interval '30 minutes' FOR UPDATE");
            try (var sagas = trip.engine().capacity(5).build()) {
                awaitCompleted(20);
                locked.rollback();
                awaitCompleted(30);
                assertThat(sagas.reaper().isLate()).isFalse();
            }
        }
    }

    @Test
    @DisplayName("B98: a saga whose takeovers are spent is brought to an end, not passed over")
    void a_saga_whose_takeovers_are_spent_is_brought_to_an_end() {
        UUID saga = trip.abandoned(Trip.TYPE, 1);
        Sql.execute(dataSource, "UPDATE holdfast.saga SET takeovers = 4, attempts = 1 WHERE saga_id = ?", saga);
        try (var sagas = trip.engine().build()) {
            await().atMost(Trip.LIMIT)
                    .until(() -> sagas.audit().find(saga).orElseThrow().state() == SagaState.STUCK);
            var timeline = sagas.audit().timeline(saga);

            assertThat(timeline).extracting(entry -> entry.kind()).contains(Kind.TAKEN_OVER, Kind.STUCK);
            assertThat(effects.all()).isEmpty();
            assertThat(sagas.admin("kim").turnBack(saga, "its node was killed by something else"))
                    .isEqualTo(io.holdfast.saga.Verdict.APPLIED);
            assertThat(sagas.handle(saga).await(Trip.LIMIT).orElseThrow().state())
                    .isEqualTo(SagaState.COMPENSATED);
        }
    }

    @Test
    @DisplayName("B107: nodes that start at once share the abandoned sagas, each of which runs once")
    void nodes_that_start_at_once_share_the_abandoned_sagas() throws Exception {
        var ids = abandoned(60);
        var together = new CyclicBarrier(3);
        List<JdbcSagas> nodes = new ArrayList<>();
        var threads = Executors.newFixedThreadPool(3);
        try {
            List<Callable<JdbcSagas>> starts = IntStream.range(0, 3)
                    .<Callable<JdbcSagas>>mapToObj(node -> () -> {
                        together.await();
                        return trip.engine()
                                .nodeName("n" + node)
                                .capacity(8)
                                .lease(Duration.ofSeconds(20))
                                .build();
                    })
                    .toList();
            for (Future<JdbcSagas> node : threads.invokeAll(starts)) {
                nodes.add(node.get());
            }
            nodes.forEach(node -> node.reaper().tick());
            awaitCompleted(60);
        } finally {
            nodes.forEach(JdbcSagas::close);
            threads.shutdown();
        }
        ids.forEach(id -> effects.assertRan(id, Trip.ALL_DONE));
        assertThat(trip.twice()).isZero();
    }

    @Test
    @DisplayName("B113: one saga per key, whoever starts it, and every caller gets it")
    void one_saga_per_key_whoever_starts_it() throws Exception {
        try (var a = trip.engine().capacity(8).build();
                var b = trip.engine().capacity(8).build()) {
            var threads = Executors.newFixedThreadPool(16);
            for (int key = 0; key < 25; key++) {
                String name = "o-" + key;
                var data = Trip.Data.of(key);
                List<Callable<SagaHandle>> starts = IntStream.range(0, 16)
                        .<Callable<SagaHandle>>mapToObj(i -> () -> (i % 2 == 0 ? a : b).start(Trip.TYPE, name, data))
                        .toList();
                List<SagaHandle> handles = new ArrayList<>();
                for (Future<SagaHandle> handle : threads.invokeAll(starts)) {
                    handles.add(handle.get());
                }
                assertThat(handles.stream().map(SagaHandle::sagaId).collect(toSet()))
                        .hasSize(1);
                assertThat(handles.get(15).await(Trip.LIMIT).orElseThrow().state())
                        .isEqualTo(SagaState.COMPLETED);
            }
            threads.shutdown();
            assertThat(trip.count(SagaState.COMPLETED)).isEqualTo(25);
            assertThat(trip.twice()).isZero();

            // over: the same answer again; another identity is refused; another type is another saga
            assertThat(b.start(Trip.TYPE, "o-1", Trip.Data.of(1)).await(Duration.ZERO))
                    .isPresent();
            Assertions.assertThatThrownBy(() -> b.start(Trip.TYPE, "o-1", Trip.Data.of(2)))
                    .hasMessageContaining("SAGA-210");
            Assertions.assertThatThrownBy(() -> b.start(Trip.OTHER, "o-1", Trip.Data.of(2)))
                    .hasMessageContaining("SAGA-202");
            assertThat(b.handle(Trip.OTHER, "o-1").sagaId())
                    .isNotEqualTo(b.handle(Trip.TYPE, "o-1").sagaId());
        }
    }

    @Test
    @DisplayName("B101: while the database is away ticks fail one by one, and the next after it is back goes through")
    void ticks_go_on_after_the_database_was_away() {
        try (var proxy = TcpProxy.to(database);
                var sagas = trip.engine(database.via(proxy).pool(4, config -> config.setConnectionTimeout(250)))
                        .build()) {
            await().until(() -> sagas.reaper().sinceLastTick().isPresent());
            proxy.refuse();
            proxy.cut();
            await().until(sagas.reaper()::isLate);
            Assertions.assertThatThrownBy(sagas.reaper()::tick).isInstanceOf(SagaStoreException.class);
            UUID saga = trip.abandoned(Trip.TYPE, 1);

            proxy.accept();

            await().atMost(Trip.LIMIT).until(() -> !sagas.reaper().isLate());
            assertThat(sagas.handle(saga).await(Trip.LIMIT).orElseThrow().state())
                    .isEqualTo(SagaState.COMPLETED);
            effects.assertRan(saga, Trip.ALL_DONE);
        }
    }
}
