package io.holdfast.saga.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.StepRejectedException;
import io.holdfast.saga.Verdict;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** §3: local steps above READ COMMITTED, against a rule that no row holds: somebody is always on call. */
@PostgresTest
class SerializableStepTest {
    /** Who wants to go. */
    record Leave(String doctor) {}

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration LEASE = Duration.ofMillis(600);
    private static final SagaType<Leave> TYPE = SagaType.of("leave", 1, Leave.class);
    private static final JdbcSteps<Leave> STEPS = JdbcSteps.of(Leave.class);

    private final DataSource dataSource;
    private final AtomicInteger runs = new AtomicInteger();
    private JdbcSagas sagas;

    SerializableStepTest(TestDatabase database) {
        this.dataSource = database.pool(8);
    }

    @BeforeEach
    void tables() {
        Schema.migrate(dataSource, Schema.DEFAULT_NAME);
        Sql.execute(dataSource, """
                CREATE TABLE doctor (name text PRIMARY KEY, on_call boolean NOT NULL);
                INSERT INTO doctor VALUES ('a', true), ('b', true);
                """);
    }

    @AfterEach
    void close() {
        if (sagas != null) {
            sagas.close();
        }
    }

    private void run(CompensatableStep<Leave> step) {
        sagas = JdbcSagas.builder(dataSource)
                .register(SagaDefinition.builder(TYPE).step(step).build())
                .lease(LEASE)
                .capacity(4)
                .reapEvery(Duration.ofMinutes(10))
                .build();
    }

    private SagaHandle start(String doctor) {
        return sagas.start(TYPE, doctor, new Leave(doctor));
    }

    private LocalStep<Leave, Void> leave(CyclicBarrier bothHaveRead) {
        return STEPS.local("leave", ctx -> {
            int others = ctx.dsl()
                    .fetchSingle(
                            "select count(*) from doctor where on_call and name <> ?",
                            ctx.data().doctor())
                    .get(0, Integer.class);
            if (runs.incrementAndGet() <= 2) {
                bothHaveRead.await(20, TimeUnit.SECONDS);
            }
            if (others == 0) {
                throw new StepRejectedException("nobody else is on call");
            }
            ctx.dsl()
                    .execute(
                            "update doctor set on_call = false where name = ?",
                            ctx.data().doctor());
        });
    }

    private long onCall() {
        return Sql.value(dataSource, Long.class, "SELECT count(*) FROM doctor WHERE on_call");
    }

    /** The twin: without it both go. */
    @Test
    void at_read_committed_both_go() {
        run(leave(new CyclicBarrier(2)).noCompensation("none"));
        SagaHandle a = start("a");
        SagaHandle b = start("b");
        assertThat(a.await(SOON).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
        assertThat(b.await(SOON).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
        assertThat(onCall()).isZero();
    }

    @Test
    void a_serializable_step_lets_one_go_and_runs_the_other_again() {
        run(leave(new CyclicBarrier(2)).serializable().noCompensation("none"));
        SagaHandle a = start("a");
        SagaHandle b = start("b");
        assertThat(new SagaState[] {
                    a.await(SOON).orElseThrow().state(),
                    b.await(SOON).orElseThrow().state()
                })
                .containsExactlyInAnyOrder(SagaState.COMPLETED, SagaState.COMPENSATED);
        assertThat(onCall()).isOne();
        assertThat(runs).hasValue(3);
        assertThat(journalled("STEP_FAILED")).isZero();
    }

    @Test
    void the_heartbeat_leaves_the_saga_alone_while_it_runs() {
        run(STEPS.local("long", ctx -> {
                    runs.incrementAndGet();
                    ctx.dsl().fetch("select on_call from doctor");
                    ctx.dsl().execute("select pg_sleep(1.6)"); // several renewals
                })
                .serializable()
                .timeout(Duration.ofSeconds(10))
                .noCompensation("none"));
        SagaHandle saga = start("a");
        assertThat(saga.await(SOON).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
        assertThat(runs).hasValue(1);
    }

    @Test
    void the_lease_outlasts_the_timeout_of_the_step() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        run(STEPS.local("long", ctx -> {
                    begun.countDown();
                    goOn.await();
                })
                .repeatableRead()
                .timeout(Duration.ofSeconds(20))
                .noCompensation("none"));
        SagaHandle saga = start("a");
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(Sql.value(
                        dataSource,
                        Boolean.class,
                        "SELECT due_at > clock_timestamp() + interval '10 seconds' FROM holdfast.saga"))
                .isTrue();
        goOn.countDown();
        assertThat(saga.await(SOON).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
    }

    @Test
    void a_cancel_while_it_runs_keeps_nothing_of_it() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        run(STEPS.local("leave", ctx -> {
                    ctx.dsl().execute("update doctor set on_call = false");
                    begun.countDown();
                    goOn.await();
                })
                .serializable()
                .noCompensation("none"));
        SagaHandle saga = start("a");
        assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(saga.cancel("not now")).isEqualTo(Verdict.APPLIED);
        goOn.countDown();
        assertThat(saga.await(SOON).orElseThrow().state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(onCall()).isEqualTo(2);
    }

    @Test
    void reruns_are_no_attempts_and_end() {
        run(STEPS.local("conflict", ctx -> {
                    runs.incrementAndGet();
                    ctx.dsl().execute("do $$ begin raise exception using errcode = '40001'; end $$");
                })
                .serializable()
                .reruns(4)
                .retry(RetryPolicy.fixed(Duration.ofMillis(1)).maxAttempts(2))
                .noCompensation("none"));
        SagaHandle saga = start("a");
        assertThat(saga.await(SOON).orElseThrow().state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(runs).hasValue(8);
        assertThat(journalled("STEP_FAILED")).isEqualTo(2);
    }

    @Test
    void the_level_is_the_step_s_own_and_its_compensation_s() {
        List<String> levels = new CopyOnWriteArrayList<>();
        SagaDefinition<Leave> definition = SagaDefinition.builder(TYPE)
                .step(STEPS.local("level", ctx -> {
                            levels.add(level(ctx));
                        })
                        .repeatableRead()
                        .compensatedBy((ctx, none) -> levels.add(level(ctx))))
                .step(STEPS.local("fails", ctx -> {
                            levels.add(level(ctx));
                            throw new StepRejectedException("turns back");
                        })
                        .noCompensation("none"))
                .build();
        sagas = JdbcSagas.builder(dataSource).register(definition).build();
        assertThat(start("a").await(SOON).orElseThrow().state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(levels).containsExactly("repeatable read", "read committed", "repeatable read");
    }

    private static String level(LocalContext<Leave> ctx) {
        return ctx.dsl().fetchSingle("show transaction_isolation").get(0, String.class);
    }

    @Test
    void a_budget_out_of_range_is_refused_where_it_is_given() {
        LocalStep<Leave, Void> step = STEPS.local("any", ctx -> {});
        assertThatThrownBy(() -> step.reruns(0))
                .isInstanceOf(SagaDefinitionException.class)
                .hasMessageContaining("SAGA-105");
        assertThatThrownBy(() -> step.reruns(1_001)).hasMessageContaining("SAGA-105");
    }

    private long journalled(String kind) {
        return Sql.value(dataSource, Long.class, "SELECT count(*) FROM holdfast.saga_log WHERE kind = ?", kind);
    }
}
