package io.holdfast.saga.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.saga.JournalEntry;
import io.holdfast.saga.RetriableStep;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaOutcome;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.StepAction;
import io.holdfast.saga.StepContext;
import io.holdfast.saga.StepRejectedException;
import io.holdfast.saga.jdbc.BusinessTable;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.JdbcSteps;
import io.holdfast.saga.jdbc.Schema;
import io.holdfast.saga.jdbc.testing.Fixtures;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The lock as sagas use it: claim, work, pivot, release, on a running engine. */
@PostgresTest
class LockedOrdersTest {
    /** The data. */
    record Order(long id) {}

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final SagaType<Order> TYPE = SagaType.of("order", 1, Order.class);
    private static final JdbcSteps<Order> STEPS = JdbcSteps.of(Order.class);
    private static final BusinessTable ORDERS = BusinessTable.of("orders");

    private final DataSource dataSource;
    private final AtomicInteger worked = new AtomicInteger();
    private final AtomicInteger paid = new AtomicInteger();
    private volatile StepAction<StepContext<Order>> work = ctx -> {};
    private volatile StepAction<StepContext<Order>> pay = ctx -> {};
    private JdbcSagas sagas;

    LockedOrdersTest(TestDatabase database) {
        this.dataSource = database.pool(8);
    }

    @BeforeEach
    void tables() {
        Schema.migrate(dataSource, Schema.DEFAULT_NAME);
        Fixtures.install(dataSource, Fixtures.ORDERS);
    }

    @AfterEach
    void close() {
        sagas.close();
    }

    private static SemanticLock<Order> lock() {
        return STEPS.lock(ORDERS, Order::id).from("NEW");
    }

    private void run(SemanticLock<Order> lock, RetriableStep<Order> release) {
        run(SagaDefinition.builder(TYPE)
                .step(lock.claim("claim"))
                .step(STEPS.external("work", ctx -> {
                            worked.incrementAndGet();
                            work.run(ctx);
                        })
                        .noCompensation("only looks"))
                .pivot(STEPS.external("pay", ctx -> {
                    paid.incrementAndGet();
                    pay.run(ctx);
                }))
                .then(release)
                .build());
    }

    private void run(SagaDefinition<Order> definition) {
        sagas = JdbcSagas.builder(dataSource)
                .register(definition)
                .lease(Duration.ofSeconds(2))
                .reapEvery(Duration.ofMinutes(10))
                .capacity(4)
                .closeGrace(Duration.ofSeconds(2))
                .build();
    }

    private SagaHandle start(String key, long order) {
        return sagas.start(TYPE, key, new Order(order));
    }

    private SagaOutcome outcome(String key, long order) {
        return start(key, order).await(LIMIT).orElseThrow();
    }

    private Map<String, Object> order(long id) {
        return Sql.rows(dataSource, "SELECT * FROM orders WHERE id = ?", id).get(0);
    }

    private void sql(String sql, Object... parameters) {
        Sql.execute(dataSource, sql, parameters);
    }

    private List<Object> notes(SagaHandle saga) {
        return Sql.rows(
                        dataSource,
                        "SELECT note FROM holdfast.saga_log WHERE saga_id = ? AND note IS NOT NULL ORDER BY seq",
                        saga.sagaId())
                .stream()
                .map(row -> row.get("note"))
                .toList();
    }

    @Test
    void a_completed_saga_leaves_its_row_with_the_final_status() {
        SemanticLock<Order> lock = lock();
        work = ctx -> assertThat(order(1)).containsEntry("status", "PENDING").containsEntry("saga_id", ctx.sagaId());
        run(lock, lock.release("confirm", "CONFIRMED"));

        assertThat(outcome("a", 1).state()).isEqualTo(SagaState.COMPLETED);

        assertThat(order(1)).containsEntry("status", "CONFIRMED").containsEntry("saga_id", null);
    }

    @Test
    void a_refused_pivot_restores_the_row() {
        SemanticLock<Order> lock = lock();
        pay = ctx -> {
            throw new StepRejectedException("no money");
        };
        run(lock, lock.release("confirm", "CONFIRMED"));

        assertThat(outcome("a", 1).state()).isEqualTo(SagaState.COMPENSATED);

        assertThat(order(1)).containsEntry("status", "NEW").containsEntry("saga_id", null);
    }

    @Test
    void a_second_saga_on_a_held_row_fails_at_once_and_names_the_holder() {
        SemanticLock<Order> lock = lock();
        var second = new SagaOutcome[1];
        work = ctx -> second[0] = sagas.run(TYPE, "b", new Order(1), LIMIT).orElseThrow();
        run(lock, lock.release("confirm", "CONFIRMED"));

        SagaHandle first = start("a", 1);

        assertThat(first.await(LIMIT).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
        assertThat(second[0].state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(second[0].failure().flatMap(JournalEntry::error).orElseThrow())
                .contains("SAGA-401", first.sagaId().toString(), "RUNNING at step work");
        assertThat(worked).hasValue(1);
    }

    @Test
    @DisplayName("B62: many sagas on one row, whose lock waits, are all done, and their waits are no attempts")
    void a_hot_row() {
        SemanticLock<Order> lock = lock().waiting(LIMIT);
        run(lock, lock.releaseAsBefore("release"));

        List<SagaHandle> all =
                IntStream.range(0, 12).mapToObj(i -> start("hot-" + i, 1)).toList();

        assertThat(all)
                .allSatisfy(saga ->
                        assertThat(saga.await(LIMIT).map(SagaOutcome::state)).contains(SagaState.COMPLETED));
        assertThat(worked).hasValue(12);
        assertThat(order(1)).containsEntry("status", "NEW").containsEntry("saga_id", null);
        assertThat(Sql.value(
                        dataSource, Long.class, "SELECT count(*) FROM holdfast.saga_log WHERE kind LIKE '%FAILED'"))
                .isZero();
    }

    @Test
    @DisplayName("B58: a saga whose row was taken away does not begin its pivot, and leaves the row to who has it")
    void a_lost_lock() {
        SemanticLock<Order> lock = lock();
        UUID thief = UUID.randomUUID();
        work = ctx -> sql("UPDATE orders SET saga_id = ? WHERE id = 1", thief);
        run(lock, lock.release("confirm", "CONFIRMED"));

        SagaHandle saga = start("a", 1);
        assertThat(saga.await(LIMIT).orElseThrow().state()).isEqualTo(SagaState.COMPENSATED);

        assertThat(paid).hasValue(0);
        assertThat(order(1)).containsEntry("status", "PENDING").containsEntry("saga_id", thief);
        assertThat(notes(saga)).anySatisfy(note -> assertThat(note.toString()).contains("not restored"));
    }

    @Test
    @DisplayName("B06: a row lost after the pivot makes the release stuck, and is left alone")
    void a_release_without_its_row_is_stuck() {
        SemanticLock<Order> lock = lock();
        pay = ctx -> sql("UPDATE orders SET saga_id = ? WHERE id = 1", UUID.randomUUID());
        run(lock, lock.release("confirm", "CONFIRMED"));

        assertThat(outcome("a", 1).state()).isEqualTo(SagaState.STUCK);

        assertThat(order(1)).containsEntry("status", "PENDING");
    }

    @Test
    void a_release_that_may_leave_its_row_goes_on_and_says_so() {
        SemanticLock<Order> lock = lock().whenLost(WhenLost.LEAVE);
        pay = ctx -> sql("UPDATE orders SET saga_id = ? WHERE id = 1", UUID.randomUUID());
        run(lock, lock.release("confirm", "CONFIRMED"));

        SagaHandle saga = start("a", 1);
        assertThat(saga.await(LIMIT).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);

        assertThat(order(1)).containsEntry("status", "PENDING");
        assertThat(notes(saga)).anySatisfy(note -> assertThat(note.toString()).contains("not released"));
    }

    @Test
    @DisplayName("B11: the deadline of a held row is renewed while its step runs")
    void renewal() {
        SemanticLock<Order> lock = lock().deadline(Duration.ofSeconds(2));
        String left = "SELECT locked_until > claimed + interval '3 seconds' FROM orders, (SELECT min(at) AS claimed"
                + " FROM holdfast.saga_log WHERE kind = 'STEP_DONE' AND step = 'claim') c WHERE id = 1";
        work = ctx -> await().atMost(LIMIT).until(() -> Sql.value(dataSource, Boolean.class, left));
        run(lock, lock.release("confirm", "CONFIRMED"));

        assertThat(outcome("a", 1).state()).isEqualTo(SagaState.COMPLETED);
    }

    @Test
    @DisplayName("a claim that finds an overdue holder has it recovered, and goes on")
    void an_overdue_holder_is_recovered() {
        SemanticLock<Order> lock = lock().waiting(LIMIT); // for what the recovered holder has left to do
        work = ctx -> {
            if (worked.get() == 1) {
                sql("UPDATE orders SET locked_until = clock_timestamp() - interval '1 s' WHERE id = 1");
                sql(
                        "UPDATE holdfast.saga SET owner = 'dead', run_seq = run_seq + 1,"
                                + " due_at = clock_timestamp() - interval '1 s' WHERE saga_id = ?",
                        ctx.sagaId());
            }
        };
        run(lock, lock.releaseAsBefore("release"));
        SagaHandle abandoned = start("a", 1);
        await().atMost(LIMIT) // a pass of the reaper may have taken it up from there already
                .until(() -> Sql.value(
                        dataSource, Boolean.class, "SELECT coalesce(bool_or(run_seq >= 2), false) FROM holdfast.saga"));

        assertThat(outcome("b", 1).state()).isEqualTo(SagaState.COMPLETED);

        assertThat(abandoned.await(LIMIT).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
        assertThat(order(1)).containsEntry("status", "NEW").containsEntry("saga_id", null);
    }

    @Test
    @DisplayName("B50: of two locks on one row the one that acquired it gives it back, whichever release comes first")
    void two_locks_on_one_row() {
        SemanticLock<Order> outer = lock();
        SemanticLock<Order> inner = STEPS.lock(ORDERS, Order::id).from("NEW");
        run(SagaDefinition.builder(TYPE)
                .step(outer.claim("outer"))
                .step(inner.claim("inner"))
                .pivot(STEPS.local("pivot", ctx -> {}))
                .then(inner.release("release-inner", "INNER"))
                .then(STEPS.local(
                        "between",
                        ctx -> ctx.dsl()
                                .execute(
                                        "update orders set version = version + 1 where id = 1 and saga_id = ?",
                                        ctx.sagaId())))
                .then(outer.release("release-outer", "OUTER"))
                .build());

        assertThat(outcome("a", 1).state()).isEqualTo(SagaState.COMPLETED);

        assertThat(order(1))
                .containsEntry("status", "OUTER")
                .containsEntry("saga_id", null)
                .containsEntry("version", 1L);
    }

    @Test
    @DisplayName("several rows, and a release as the pivot")
    void a_release_as_the_pivot() {
        SemanticLock<Order> both = STEPS.lockAll(ORDERS, order -> List.of(order.id(), order.id() + 1))
                .from("NEW");
        run(SagaDefinition.builder(TYPE)
                .step(both.claim("claim"))
                .pivot(both.release("confirm", "CONFIRMED"))
                .build());

        assertThat(outcome("a", 1).state()).isEqualTo(SagaState.COMPLETED);
        assertThat(outcome("b", 2).state()).isEqualTo(SagaState.COMPENSATED);

        assertThat(order(1)).containsEntry("status", "CONFIRMED");
        assertThat(order(2)).containsEntry("status", "CONFIRMED");
        assertThat(order(3)).containsEntry("status", "NEW");
    }
}
