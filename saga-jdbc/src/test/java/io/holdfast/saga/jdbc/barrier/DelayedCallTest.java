package io.holdfast.saga.jdbc.barrier;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.StepRejectedException;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.JdbcSteps;
import io.holdfast.saga.jdbc.Schema;
import io.holdfast.saga.jdbc.barrier.Bank.Booking;
import io.holdfast.saga.jdbc.barrier.Passage.Kind;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A saga here, its participant in another database, and a network between them that delays, repeats and loses. */
@PostgresTest
class DelayedCallTest {
    /** The data. */
    record Transfer(long account) {}

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final SagaType<Transfer> TYPE = SagaType.of("transfer", 1, Transfer.class);
    private static final JdbcSteps<Transfer> STEPS = JdbcSteps.of(Transfer.class);
    private static final StepKey<Booking> DEBIT = StepKey.of("debit", Booking.class);

    private final TestDatabase here;
    private final Bank bank;
    private final ExecutorService network = Executors.newCachedThreadPool();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<Kind> answers = new CopyOnWriteArrayList<>();
    private volatile CompletableFuture<Passage<Booking>> delayed = new CompletableFuture<>();

    DelayedCallTest(TestDatabase here, TestDatabase there) {
        this.here = here;
        this.bank = Bank.open(there.dataSource());
    }

    @BeforeEach
    void createTables() {
        Schema.migrate(here.dataSource(), Schema.DEFAULT_NAME);
    }

    @AfterEach
    void close() {
        gate.countDown();
        network.shutdown();
    }

    private Booking deliver(BarrierCall call) {
        Passage<Booking> passage = bank.call(call);
        answers.add(passage.kind());
        Booking booking = passage.orRefuse();
        return booking == null ? new Booking("none", bank.balance()) : booking;
    }

    private SagaDefinition<Transfer> definition(String way) {
        return SagaDefinition.builder(TYPE)
                .step(STEPS.external(DEBIT, ctx -> {
                            BarrierCall call = BarrierCall.action(ctx.idempotencyKey());
                            if ("delayed".equals(way)) {
                                return later(call).get(1, TimeUnit.HOURS).result();
                            }
                            Booking first = deliver(call);
                            if ("answer lost".equals(way) && ctx.attempt() == 1) {
                                throw new IOException("the answer is lost");
                            }
                            return first;
                        })
                        .timeout(Duration.ofMillis(300))
                        .retry(
                                "delayed".equals(way)
                                        ? RetryPolicy.none()
                                        : RetryPolicy.fixed(Duration.ofMillis(5))
                                                .maxAttempts(2))
                        .compensatedBy((ctx, known) -> {
                            deliver(BarrierCall.compensation(ctx.actionKey()));
                            deliver(BarrierCall.compensation(ctx.actionKey())); // and once more, as networks do
                        }))
                .step(STEPS.external("refuse", ctx -> {
                            throw new StepRejectedException("no");
                        })
                        .compensatedBy((ctx, none) -> {}))
                .build();
    }

    /** On its way until the gate opens, whoever waits for it. */
    private CompletableFuture<Passage<Booking>> later(BarrierCall call) {
        delayed = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        gate.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return bank.call(call);
                },
                network);
        return delayed;
    }

    private SagaState end(String way) {
        try (JdbcSagas sagas = JdbcSagas.builder(here.pool(4))
                .capacity(2)
                .register(definition(way))
                .build()) {
            var saga = sagas.start(TYPE, "t-1", new Transfer(1));
            return saga.await(SOON).orElseThrow().state();
        }
    }

    @Test
    @DisplayName("B31, B33: a call that is delayed until after its undo is refused, and nothing of it is left")
    void a_call_that_is_delayed_until_after_its_undo_is_refused() throws Exception {
        assertThat(end("delayed")).isEqualTo(SagaState.COMPENSATED);
        assertThat(answers).containsExactly(Kind.EMPTY, Kind.EMPTY);
        assertThat(delayed).isNotDone();

        gate.countDown();
        assertThat(delayed.get(10, TimeUnit.SECONDS).kind()).isEqualTo(Kind.LATE);
        assertThat(bank.balance()).isEqualTo(100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"in time", "answer lost"})
    @DisplayName("a call that arrives, once or twice, is done once and undone once")
    void a_call_that_arrives_is_done_once_and_undone_once(String way) {
        assertThat(end(way)).isEqualTo(SagaState.COMPENSATED);
        assertThat(answers)
                .containsExactlyElementsOf(
                        "in time".equals(way)
                                ? List.of(Kind.RAN, Kind.RAN, Kind.REPLAYED)
                                : List.of(Kind.RAN, Kind.REPLAYED, Kind.RAN, Kind.REPLAYED));
        assertThat(bank.balance()).isEqualTo(100);
    }

    /** The id follows from type and key and is the same again; the keys of the calls are not. */
    @Test
    void a_saga_that_is_started_again_after_it_was_purged_is_not_taken_for_the_former_one() {
        end("in time");
        Sql.execute(here.dataSource(), "DELETE FROM holdfast.saga_log");
        Sql.execute(here.dataSource(), "DELETE FROM holdfast.saga");
        answers.clear();

        assertThat(end("in time")).isEqualTo(SagaState.COMPENSATED);
        assertThat(answers).containsExactly(Kind.RAN, Kind.RAN, Kind.REPLAYED);
    }
}
