package io.holdfast.saga.jdbc.internal.lock;

import static io.holdfast.saga.jdbc.internal.lock.LockReceipt.How.ACQUIRED;
import static io.holdfast.saga.jdbc.internal.lock.LockReceipt.How.RE_ENTERED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.saga.ConcurrentSagaException;
import io.holdfast.saga.ConcurrentSagaException.Advice;
import io.holdfast.saga.LockLostException;
import io.holdfast.saga.RowUnavailableException;
import io.holdfast.saga.RowUnavailableException.Reason;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaException;
import io.holdfast.saga.jdbc.internal.lock.LockReceipt.Row;
import io.holdfast.saga.jdbc.internal.table.TableSpec;
import io.holdfast.saga.jdbc.testing.Fixtures;
import io.holdfast.saga.jdbc.testing.OpenTransaction;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a claim takes, refuses and leaves alone; protocol §9. */
@PostgresTest
class ClaimTest {
    private static final TableSpec ORDERS = TableSpec.of("orders");
    private static final LockSpec LOCK = LockSpec.on(ORDERS).from("NEW");

    private final TestDatabase database;
    private final LockWorld world;

    ClaimTest(TestDatabase database) {
        this.database = database;
        this.world = new LockWorld(database.pool(4));
    }

    @BeforeEach
    void orders() {
        Fixtures.install(database.dataSource(), Fixtures.ORDERS);
    }

    private Map<String, Object> order(long id) {
        return world.row("orders", "id = " + id);
    }

    private Duration lockedFor(long id) {
        return Duration.ofMillis(world.value(
                Long.class,
                "SELECT cast(extract(epoch FROM locked_until - clock_timestamp()) * 1000 AS bigint) FROM orders WHERE"
                        + " id = ?",
                id));
    }

    @Test
    void a_free_row_is_marked_with_status_holder_and_deadline() {
        UUID saga = world.saga();

        LockReceipt receipt = world.claim(LOCK, saga, 1L);

        assertThat(order(1)).containsEntry("status", "PENDING").containsEntry("saga_id", saga);
        assertThat(lockedFor(1)).isBetween(Duration.ofSeconds(55), Duration.ofSeconds(60));
        assertThat(receipt.rows()).containsExactly(new Row(List.of("1"), "NEW", ACQUIRED));
        assertThat(LockReceipt.read(receipt.receipt().json())).isEqualTo(receipt);
    }

    @Test
    void undoing_restores_the_former_status() {
        UUID saga = world.saga();
        world.sql("UPDATE orders SET status = 'DRAFT' WHERE id = 2");
        LockReceipt receipt = world.claim(LOCK.from("NEW", "DRAFT"), saga, 2L, 1L);

        assertThat(world.restore(saga, receipt)).isEmpty();

        assertThat(order(1)).containsEntry("status", "NEW").containsEntry("saga_id", null);
        assertThat(order(2)).containsEntry("status", "DRAFT").containsEntry("locked_until", null);
    }

    @Test
    void releasing_sets_the_final_status() {
        UUID saga = world.saga();
        LockReceipt receipt = world.claim(LOCK, saga, 1L);

        assertThat(world.release(saga, receipt, "CONFIRMED")).isEmpty();

        assertThat(order(1))
                .containsEntry("status", "CONFIRMED")
                .containsEntry("saga_id", null)
                .containsEntry("locked_until", null);
    }

    @Test
    void a_row_held_by_another_saga_is_busy_and_its_holder_named() {
        UUID holder = world.saga();
        world.claim(LOCK, holder, 1L);

        assertThatThrownBy(() -> world.claim(LOCK, world.saga(), 1L))
                .isInstanceOfSatisfying(ConcurrentSagaException.class, busy -> {
                    assertThat(busy.holder()).isEqualTo(holder);
                    assertThat(busy.holderState()).isEqualTo("RUNNING at step work");
                    assertThat(busy.advice()).isEqualTo(Advice.FAIL);
                    assertThat(busy.lockedUntil()).isPresent();
                })
                .hasMessageContaining("\"public\".\"orders\" 1");
        assertThat(order(1)).containsEntry("saga_id", holder);
    }

    @Test
    @DisplayName(
            "B50: a saga that claims its own row again gets it, with the later deadline, and its undo leaves the row"
                    + " alone")
    void a_claim_is_re_entrant() {
        UUID saga = world.saga();
        LockReceipt first = world.claim(LOCK.lockFor(Duration.ofSeconds(10)), saga, 1L);

        LockReceipt second = world.claim(LOCK.lockFor(Duration.ofHours(1)), saga, 1L);
        LockReceipt shorter = world.claim(LOCK.lockFor(Duration.ofSeconds(1)), saga, 1L);

        assertThat(second.rows()).containsExactly(new Row(List.of("1"), null, RE_ENTERED));
        assertThat(lockedFor(1)).isGreaterThan(Duration.ofMinutes(59));
        world.restore(saga, shorter);
        world.restore(saga, second);
        assertThat(order(1)).containsEntry("status", "PENDING").containsEntry("saga_id", saga);
        world.restore(saga, first);
        assertThat(order(1)).containsEntry("status", "NEW").containsEntry("saga_id", null);
    }

    @Test
    @DisplayName("B52: of several rows all are taken or none, and a missing one is told from a busy one")
    void all_or_none() {
        UUID holder = world.saga();
        world.claim(LOCK, holder, 3L);

        assertThatThrownBy(() -> world.claim(LOCK, world.saga(), 1L, 2L, 3L))
                .isInstanceOf(ConcurrentSagaException.class);
        assertRefused(Reason.MISSING, LOCK, world.saga(), 1L, 99L);

        assertThat(order(1)).containsEntry("status", "NEW").containsEntry("saga_id", null);
        assertThat(order(2)).containsEntry("status", "NEW");
        assertThat(order(3)).containsEntry("saga_id", holder);
    }

    @Test
    @DisplayName("B52: an id that is given twice, or in two spellings, counts once")
    void duplicates_count_once() {
        LockReceipt receipt = world.claim(LOCK, world.saga(), 1L, 1, "01", 2L);

        assertThat(receipt.rows()).extracting(Row::id).containsExactly(List.of("1"), List.of("2"));
    }

    @Test
    void a_row_with_another_status_is_refused_as_such() {
        world.sql("UPDATE orders SET status = 'SHIPPED' WHERE id = 1");

        assertRefused(Reason.WRONG_STATUS, LOCK, world.saga(), 1L);
        assertThat(world.claim(LockSpec.on(ORDERS), world.saga(), 1L).rows())
                .containsExactly(new Row(List.of("1"), "SHIPPED", ACQUIRED));
    }

    @Test
    @DisplayName("B49: a row without a status is claimable without from(), restored to none, and refused by from()")
    void a_null_status_is_a_status() {
        world.sql("ALTER TABLE orders ALTER status DROP NOT NULL; UPDATE orders SET status = NULL WHERE id IN (1, 2)");
        UUID saga = world.saga();

        LockReceipt receipt = world.claim(LockSpec.on(ORDERS), saga, 1L);
        world.restore(saga, receipt);

        assertThat(order(1)).containsEntry("status", null).containsEntry("saga_id", null);
        assertRefused(Reason.WRONG_STATUS, LOCK, world.saga(), 2L);
    }

    @Test
    @DisplayName("B49: a pending row without a holder is reported, one without a deadline counts as expired")
    void a_null_deadline_counts_as_passed() {
        world.sql("UPDATE orders SET status = 'PENDING' WHERE id = 1");
        UUID finished = world.saga("COMPENSATED", "NONE", null, null);
        world.sql("UPDATE orders SET status = 'PENDING', saga_id = '" + finished + "' WHERE id = 2");

        assertRefused(Reason.WRONG_STATUS, LockSpec.on(ORDERS), world.saga(), 1L);
        assertThat(world.claim(LOCK, world.saga(), 2L).rows()).containsExactly(new Row(List.of("2"), "NEW", ACQUIRED));
    }

    @Test
    @DisplayName("B15: a claim that waited behind another transaction has its whole duration before it")
    void the_clock_is_read_after_the_wait() {
        LockSpec brief = LOCK.lockFor(Duration.ofMillis(800));
        try (var other = OpenTransaction.begin(database.dataSource())) {
            other.execute("UPDATE orders SET total = 11 WHERE id = 1");
            var claim = CompletableFuture.supplyAsync(() -> world.claim(brief, world.saga(), 1L));
            other.awaitWaiters(1);
            other.execute("SELECT pg_sleep(1)");
            other.commit();
            claim.join();
        }

        assertThat(lockedFor(1)).isGreaterThan(Duration.ofMillis(400));
    }

    @Test
    @DisplayName("B15: a lock that expired while the claim waited is seen as expired")
    void expiry_is_judged_after_the_wait() {
        UUID finished = world.saga();
        world.claim(LOCK.lockFor(Duration.ofMillis(800)), finished, 1L);
        world.set(finished, "state = 'COMPLETED', due_at = NULL, owner = NULL");
        UUID saga = world.saga();
        try (var other = OpenTransaction.begin(database.dataSource())) {
            other.execute("UPDATE orders SET total = 11 WHERE id = 1");
            var claim = CompletableFuture.supplyAsync(() -> world.claim(LOCK, saga, 1L));
            other.awaitWaiters(1);
            other.execute("SELECT pg_sleep(1)");
            other.commit();
            claim.join();
        }

        assertThat(order(1)).containsEntry("saga_id", saga);
    }

    @Test
    void a_claim_that_waited_for_another_claim_sees_its_mark() {
        UUID first = world.saga();
        try (var other = OpenTransaction.begin(database.dataSource())) {
            other.execute(
                    "UPDATE orders SET status = 'PENDING', saga_id = ?, locked_until = clock_timestamp() + interval '1"
                            + " hour' WHERE id = 1",
                    first);
            var claim = CompletableFuture.supplyAsync(() -> world.claim(LOCK, world.saga(), 1L));
            other.awaitWaiters(1);
            other.commit();

            assertThatThrownBy(claim::join).cause().isInstanceOf(ConcurrentSagaException.class);
        }
        assertThat(order(1)).containsEntry("saga_id", first);
    }

    @Test
    @DisplayName("B06: what a saga no longer holds it neither restores nor releases")
    void nobody_elses_row_is_touched() {
        UUID loser = world.saga();
        LockReceipt lost = world.claim(LOCK, loser, 1L, 2L);
        UUID winner = world.saga();
        world.sql("UPDATE orders SET saga_id = '" + winner + "' WHERE id = 1");

        assertThatThrownBy(() -> world.assertHeld(loser, lost))
                .isInstanceOfSatisfying(
                        LockLostException.class, e -> assertThat(e.error()).isEqualTo(SagaError.LOCK_LOST));
        assertThat(world.release(loser, lost, "CONFIRMED")).containsExactly(List.of("1"));
        assertThat(world.restore(loser, lost)).hasSize(2);

        assertThat(order(1)).containsEntry("status", "PENDING").containsEntry("saga_id", winner);
        assertThat(order(2)).containsEntry("status", "CONFIRMED");
    }

    @Test
    @DisplayName("B58: an assertion fails for a row whose mark is gone, and extends the deadline of one that has it")
    void an_assertion_extends() {
        UUID saga = world.saga();
        LockReceipt receipt = world.claim(LOCK.lockFor(Duration.ofSeconds(30)), saga, 1L);
        world.sql("UPDATE orders SET locked_until = clock_timestamp() + interval '1 second' WHERE id = 1");

        world.assertHeld(saga, receipt);

        assertThat(lockedFor(1)).isGreaterThan(Duration.ofSeconds(28));
        world.sql("UPDATE orders SET status = 'NEW' WHERE id = 1");
        assertThatThrownBy(() -> world.assertHeld(saga, receipt)).isInstanceOf(LockLostException.class);
    }

    @Test
    void ids_that_are_no_ids_are_refused_before_anything_is_written() {
        UUID saga = world.saga();
        assertThatThrownBy(() -> world.claim(LOCK, saga, "one"))
                .isInstanceOfSatisfying(
                        SagaException.class, e -> assertThat(e.error()).isEqualTo(SagaError.ROW_ID_INVALID));
        assertThatThrownBy(() -> world.claim(LOCK, saga, 1.0))
                .isInstanceOfSatisfying(
                        SagaException.class, e -> assertThat(e.error()).isEqualTo(SagaError.ROW_ID_INVALID));
        assertThatThrownBy(() -> world.claim(LOCK, saga))
                .isInstanceOfSatisfying(
                        SagaException.class, e -> assertThat(e.error()).isEqualTo(SagaError.ROW_ID_INVALID));
    }

    private void assertRefused(Reason reason, LockSpec lock, UUID saga, Object... ids) {
        assertThatThrownBy(() -> world.claim(lock, saga, ids))
                .isInstanceOfSatisfying(
                        RowUnavailableException.class,
                        e -> assertThat(e.reason()).isEqualTo(reason));
    }
}
