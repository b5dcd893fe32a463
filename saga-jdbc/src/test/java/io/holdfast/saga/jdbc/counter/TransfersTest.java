package io.holdfast.saga.jdbc.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.Schema;
import io.holdfast.saga.jdbc.testing.ChildJvm;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** B48, B09: counters under everything that can happen to a saga, at once. Three processes die while they work. */
@PostgresTest
class TransfersTest {
    private static final int TRANSFERS = 1_000;
    private static final int KILLS = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final TestDatabase database;
    private final Ledger ledger;
    private final AtomicInteger looks = new AtomicInteger();
    private final ConcurrentLinkedQueue<Map<String, Object>> odd = new ConcurrentLinkedQueue<>();

    TransfersTest(TestDatabase database) {
        this.database = database;
        Schema.migrate(database.dataSource(), Schema.DEFAULT_NAME);
        this.ledger = Ledger.open(database.dataSource());
    }

    @Test
    @DisplayName(
            "1,000 transfers with failures, kills and duplicate starts: no money is lost, and accounts match the journal")
    void nothingIsLost() {
        var watch = Executors.newSingleThreadScheduledExecutor();
        try (JdbcSagas a = TransferNode.open(database, "a", ctx -> {});
                JdbcSagas b = TransferNode.open(database, "b", ctx -> {})) {
            Future<?> watching = watch.scheduleWithFixedDelay(this::look, 0, 50, TimeUnit.MILLISECONDS);
            for (int kill = 0; kill < KILLS; kill++) {
                startAndKill(List.of(a, b), kill);
            }
            await().atMost(PATIENCE).until(this::allHaveEnded);
            startAgain(a);
            assertThat(watching).as("watched to the end").isNotDone();
        } finally {
            watch.shutdownNow();
        }
        assertThat(odd).as("seen while it ran").isEmpty();
        assertThat(looks).as("looks").hasValueGreaterThan(20);
        assertThatItAddsUp();
        assertThatMuchHappened();
    }

    /** One statement, which sees one moment. */
    private void look() {
        odd.addAll(ledger.odd());
        looks.incrementAndGet();
    }

    /** A third of the transfers, each started by both nodes here and by the process that dies. */
    private void startAndKill(List<JdbcSagas> nodes, int kill) {
        int first = kill * TRANSFERS / KILLS;
        int end = (kill + 1) * TRANSFERS / KILLS;
        ExecutorService threads = Executors.newCachedThreadPool();
        try (ChildJvm victim = ChildJvm.start(TransferNode.class, database.url(), "victim-" + kill)) {
            victim.awaitLine("READY"::equals, PATIENCE);
            victim.send(first + " " + end);
            victim.awaitLine(("CALL " + TransferNode.ANSWERED)::equals, PATIENCE);
            var starts = nodes.stream()
                    .map(node -> CompletableFuture.runAsync(() -> start(node, first, end), threads))
                    .toArray(CompletableFuture[]::new);
            victim.awaitLine(("CALL " + (TransferNode.ANSWERED + TransferNode.HELD))::equals, PATIENCE);
            victim.kill9();
            assertThat(ledger.sagas("owner LIKE 'victim-" + kill + "%'"))
                    .as("cut off")
                    .isGreaterThanOrEqualTo(TransferNode.HELD);
            CompletableFuture.allOf(starts).join();
        } finally {
            threads.shutdownNow();
        }
    }

    private static void start(JdbcSagas node, int first, int end) {
        IntStream.range(first, end).forEach(number -> TransferNode.start(node, number));
    }

    private boolean allHaveEnded() {
        return ledger.sagas("state IN ('COMPLETED', 'COMPENSATED', 'STUCK')") == TRANSFERS;
    }

    /** A late duplicate of each finds what became of it. */
    private static void startAgain(JdbcSagas node) {
        IntStream.range(0, TRANSFERS)
                .forEach(number -> assertThat(TransferNode.start(node, number)
                                .snapshot()
                                .orElseThrow()
                                .state()
                                .isFinal())
                        .isTrue());
    }

    private void assertThatItAddsUp() {
        assertThat(ledger.odd()).isEmpty();
        assertThat(ledger.sum()).isEqualByComparingTo(ledger.initialSum());
        assertThat(ledger.sagas("true")).isEqualTo(TRANSFERS);
        assertThat(ledger.sagas("state NOT IN ('COMPLETED', 'COMPENSATED')")).isZero();
        assertThat(ledger.entries("kind IN ('COMPLETED', 'COMPENSATED')")).isEqualTo(TRANSFERS);
    }

    /** Else the rest would show little. */
    private void assertThatMuchHappened() {
        assertThat(ledger.sagas("state = 'COMPLETED'")).isGreaterThan(TRANSFERS / 3);
        assertThat(ledger.entries("kind = 'STEP_UNDONE' AND step = 'take'")).isGreaterThan(TRANSFERS / 10);
        assertThat(ledger.entries("kind = 'STEP_FAILED'")).isGreaterThan(TRANSFERS / 10);
        assertThat(ledger.entries("kind = 'STEP_REJECTED' AND error LIKE '%SAGA-408%'"))
                .isPositive();
        assertThat(ledger.entries("kind = 'TAKEN_OVER'")).isGreaterThanOrEqualTo(KILLS * TransferNode.HELD);
    }
}
