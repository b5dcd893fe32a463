package io.holdfast.saga.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.jdbc.testing.ChildJvm;
import io.holdfast.saga.jdbc.testing.Effects;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@PostgresTest
class LifecycleTest {
    private final TestDatabase database;
    private final DataSource dataSource;
    private final Effects effects;
    private final Trip trip;
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch leave = new CountDownLatch(1);

    LifecycleTest(TestDatabase database) {
        this.database = database;
        this.dataSource = database.pool(20);
        this.effects = Effects.install(database);
        this.trip = new Trip(dataSource, effects);
    }

    @BeforeEach
    void createTables() {
        Schema.migrate(dataSource, Schema.DEFAULT_NAME);
    }

    @AfterEach
    void close() {
        leave.countDown();
        effects.close();
    }

    private void blockIgnoringInterrupts() {
        entered.countDown();
        boolean interrupted = false;
        while (true) {
            try {
                leave.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    @DisplayName("B104: close returns soon after its grace although a step blocks for ever, and leaves its lease alone")
    void close_returns_soon_after_its_grace() throws Exception {
        trip.when("book", ctx -> blockIgnoringInterrupts());
        var sagas = trip.engine()
                .lease(Duration.ofMinutes(1))
                .closeGrace(Duration.ofSeconds(1))
                .build();
        var saga = sagas.start(Trip.TYPE, "o-1", Trip.Data.of(1));
        entered.await();
        var owner = saga.snapshot().orElseThrow().owner();
        long from = System.nanoTime();

        sagas.close();

        assertThat(Duration.ofNanos(System.nanoTime() - from)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(4));
        var left = sagas.audit().find(saga.sagaId()).orElseThrow();
        assertThat(left.owner()).isPresent().isEqualTo(owner);
        assertThat(left.dueAt().orElseThrow()).isAfter(left.createdAt());
        sagas.close();
    }

    @Test
    @DisplayName("B104: a closed engine refuses what would start something, and answers what only reads")
    void a_closed_engine_refuses_what_would_start_something() {
        var sagas = trip.engine().build();
        var saga = sagas.start(Trip.TYPE, "o-1", Trip.Data.of(1));
        assertThat(saga.await(Trip.LIMIT)).isPresent();
        sagas.close();

        assertThatThrownBy(() -> sagas.start(Trip.TYPE, "o-2", Trip.Data.of(2)))
                .isInstanceOf(SagaUsageException.class)
                .hasMessageContaining("SAGA-205");
        assertThatThrownBy(() -> sagas.run(Trip.TYPE, "o-2", Trip.Data.of(2), Duration.ZERO))
                .hasMessageContaining("SAGA-205");
        assertThatThrownBy(() -> sagas.reaper().tick()).hasMessageContaining("SAGA-205");
        assertThat(sagas.audit().find(saga.sagaId())).isPresent();
        assertThat(sagas.reaper().isLate()).isFalse();
    }

    @Test
    @DisplayName("B104: an engine can be closed from one of its own steps")
    void an_engine_can_be_closed_from_one_of_its_own_steps() throws Exception {
        var sagas = new AtomicReference<JdbcSagas>();
        var closed = new CountDownLatch(1);
        trip.when("book", ctx -> {
            sagas.get().close();
            closed.countDown();
        });
        sagas.set(trip.engine().closeGrace(Duration.ofSeconds(1)).build());
        sagas.get().start(Trip.TYPE, "o-1", Trip.Data.of(1));

        assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    @DisplayName(
            "B105: a step that is running when its node stops keeps its lease, and the next step runs elsewhere at once")
    void a_step_that_is_running_when_its_node_stops_keeps_its_lease() throws Exception {
        trip.when("book", ctx -> blockIgnoringInterrupts());
        var lease = Duration.ofMillis(600);
        try (var b = trip.engine().nodeName("b").lease(lease).build()) {
            var a = trip.engine()
                    .nodeName("a")
                    .lease(lease)
                    .closeGrace(Duration.ofSeconds(20))
                    .build();
            // on this thread's node: b has never seen the key
            var saga = a.start(Trip.TYPE, "o-1", Trip.Data.of(1));
            entered.await();
            var stopping = CompletableFuture.runAsync(a::close);
            // several leases long, b looks for it in vain
            await().pollDelay(lease.multipliedBy(3)).until(() -> true);
            assertThat(b.reaper().tick().takenOver()).isZero();
            assertThat(stopping).isNotDone();
            assertThat(saga.snapshot().orElseThrow().owner().orElseThrow()).startsWith("a-");

            leave.countDown();
            stopping.get(20, TimeUnit.SECONDS);

            assertThat(saga.await(Trip.LIMIT).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
            effects.assertRan(saga.sagaId(), Trip.ALL_DONE);
            assertThat(b.audit().timeline(saga.sagaId()))
                    .filteredOn(entry -> entry.step().equals(java.util.Optional.of("pay")))
                    .allMatch(entry -> entry.node().startsWith("b-"));
        }
    }

    /** Starts a saga whose step never ends, and returns from main. */
    public static final class Forgetful {
        /** With the database's URL. */
        public static void main(String[] arguments) throws InterruptedException {
            var database = TestDatabase.attach(arguments[0]);
            var trip = new Trip(database.dataSource(), Effects.in(database));
            var entered = new CountDownLatch(1);
            trip.when("book", ctx -> {
                entered.countDown();
                new CountDownLatch(1).await();
            });
            trip.engine(database.dataSource()).build().start(Trip.TYPE, "o-1", Trip.Data.of(1));
            entered.await();
            System.out.println("main returns");
        }
    }

    @Test
    @DisplayName("B104: a JVM whose main returns without close ends")
    void a_jvm_whose_main_returns_without_close_ends() {
        try (var child = ChildJvm.start(Forgetful.class, database.url())) {
            child.awaitLine("main returns"::equals, Trip.LIMIT);
            assertThat(child.awaitExit(Duration.ofSeconds(20))).isZero();
        }
    }

    @Test
    void two_engines_in_one_jvm_do_not_get_in_each_others_way() {
        try (var a = trip.engine().nodeName("same").build()) {
            var b = trip.engine().nodeName("same").build();
            assertThat(b.start(Trip.TYPE, "o-1", Trip.Data.of(1)).await(Trip.LIMIT))
                    .isPresent();
            b.close();
            trip.abandoned(Trip.TYPE, 2);
            await().atMost(Trip.LIMIT).until(() -> trip.count(SagaState.COMPLETED) == 2);
            assertThat(a.start(Trip.TYPE, "o-3", Trip.Data.of(3)).await(Trip.LIMIT))
                    .isPresent();
        }
    }
}
