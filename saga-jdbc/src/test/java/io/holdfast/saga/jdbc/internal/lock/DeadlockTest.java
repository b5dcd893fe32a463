package io.holdfast.saga.jdbc.internal.lock;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.ConcurrentSagaException;
import io.holdfast.saga.jdbc.internal.table.TableSpec;
import io.holdfast.saga.jdbc.testing.Fixtures;
import io.holdfast.saga.jdbc.testing.OpenTransaction;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** B51: the order in which rows are locked is the database's, not the caller's. */
@PostgresTest
class DeadlockTest {
    private static final LockSpec LOCK = LockSpec.on(TableSpec.of("orders")).from("NEW");
    private static final int ROUNDS = 100;

    private final TestDatabase database;
    private final LockWorld world;

    DeadlockTest(TestDatabase database) {
        this.database = database;
        this.world = new LockWorld(database.pool(4));
    }

    @BeforeEach
    void orders() {
        Fixtures.install(database.dataSource(), Fixtures.ORDERS);
    }

    /** Nodes whose sessions find the same rows in opposite orders: along the index, or as they were written. */
    private LockWorld node(String... disabled) {
        PGSimpleDataSource source = database.dataSource();
        source.setOptions(
                Stream.of(disabled).map(plan -> "-c enable_" + plan + "=off").collect(joining(" ")));
        return new LockWorld(database.pool(2, config -> config.setDataSource(source)));
    }

    @Test
    @DisplayName(
            "B51: two workers that claim and undo the same rows in opposite orders never deadlock, and never both hold"
                    + " them")
    void opposite_orders() {
        world.sql("DELETE FROM orders; INSERT INTO orders (id) SELECT n FROM generate_series(20, 1, -1) n");
        AtomicInteger taken = new AtomicInteger();
        AtomicInteger holding = new AtomicInteger();
        CyclicBarrier round = new CyclicBarrier(2);
        LockWorld along = node("seqscan", "bitmapscan");
        LockWorld across = node("indexscan", "indexonlyscan", "bitmapscan");
        List<CompletableFuture<Void>> workers = List.of(
                CompletableFuture.runAsync(() -> work(along, new Object[] {1L, 7L, 20L}, round, taken, holding)),
                CompletableFuture.runAsync(() -> work(across, new Object[] {20L, 7L, 1L}, round, taken, holding)));

        workers.forEach(CompletableFuture::join);

        assertThat(taken.get()).isBetween(ROUNDS, 2 * ROUNDS);
        assertThat(world.value(Long.class, "SELECT count(*) FROM orders WHERE status <> 'NEW' OR saga_id IS NOT NULL"))
                .isZero();
        assertThat(world.value(Long.class, "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"))
                .isZero();
    }

    @Test
    @DisplayName("B51: a claim, an assertion and an undo that wait for the first row have not locked a later one")
    void rows_are_locked_in_the_order_of_their_keys() {
        world.sql("DELETE FROM orders; INSERT INTO orders (id) SELECT n FROM generate_series(20, 1, -1) n");
        LockWorld node = node("indexscan", "indexonlyscan", "bitmapscan");
        UUID saga = node.saga();
        AtomicReference<LockReceipt> receipt = new AtomicReference<>();

        assertWaitsInOrder(() -> receipt.set(node.claim(LOCK, saga, 20L, 7L, 1L)));
        assertWaitsInOrder(() -> node.assertHeld(saga, receipt.get()));
        assertWaitsInOrder(() -> node.restore(saga, receipt.get()));
        world.sql("UPDATE orders SET status = 'DRAFT' WHERE id = 7");
        receipt.set(node.claim(LOCK.from("NEW", "DRAFT"), saga, 20L, 7L, 1L));
        assertWaitsInOrder(() -> node.restore(saga, receipt.get()));
    }

    /** Physically row 20 comes first. */
    private void assertWaitsInOrder(Runnable work) {
        try (var other = OpenTransaction.begin(database.dataSource())) {
            other.execute("SELECT 1 FROM orders WHERE id = 1 FOR UPDATE");
            var waiting = CompletableFuture.runAsync(work);
            other.awaitWaiters(1);
            assertThat(world.value(Long.class, "SELECT id FROM orders WHERE id = 20 FOR UPDATE SKIP LOCKED"))
                    .isEqualTo(20);
            other.commit();
            waiting.join();
        }
    }

    private static void work(
            LockWorld node, Object[] ids, CyclicBarrier round, AtomicInteger taken, AtomicInteger holding) {
        UUID saga = node.saga();
        for (int i = 0; i < ROUNDS; i++) {
            meet(round);
            try {
                LockReceipt receipt = node.claim(LOCK, saga, ids);
                assertThat(holding.incrementAndGet()).isEqualTo(1);
                taken.incrementAndGet();
                holding.decrementAndGet();
                node.restore(saga, receipt);
            } catch (ConcurrentSagaException busy) {
                // the other one was faster
            }
        }
    }

    private static void meet(CyclicBarrier round) {
        try {
            round.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void undoing_rows_of_different_former_statuses_locks_them_in_order_too() {
        LockSpec any = LockSpec.on(TableSpec.of("orders")).from("NEW", "DRAFT");
        world.sql("UPDATE orders SET status = 'DRAFT' WHERE id % 2 = 0");
        Object[] ids = IntStream.rangeClosed(1, 20).mapToObj(Long::valueOf).toArray();
        UUID holder = world.saga();
        UUID other = world.saga();
        for (int i = 0; i < 50; i++) {
            LockReceipt receipt = world.claim(any, holder, ids);
            var claim = CompletableFuture.supplyAsync(orBusy(() -> world.claim(any, other, ids)));
            world.restore(holder, receipt);
            LockReceipt taken = claim.join();
            if (taken != null) {
                world.restore(other, taken);
            }
        }

        assertThat(world.value(Long.class, "SELECT count(*) FROM orders WHERE status = 'DRAFT' AND saga_id IS NULL"))
                .isEqualTo(10);
    }

    private static Supplier<LockReceipt> orBusy(Supplier<LockReceipt> claim) {
        return () -> {
            try {
                return claim.get();
            } catch (ConcurrentSagaException busy) {
                return null;
            }
        };
    }
}
