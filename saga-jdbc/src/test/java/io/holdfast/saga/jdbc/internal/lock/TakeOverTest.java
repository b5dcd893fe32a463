package io.holdfast.saga.jdbc.internal.lock;

import static io.holdfast.saga.jdbc.internal.lock.LockReceipt.How.ACQUIRED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.saga.ConcurrentSagaException;
import io.holdfast.saga.ConcurrentSagaException.Advice;
import io.holdfast.saga.RowUnavailableException;
import io.holdfast.saga.RowUnavailableException.Reason;
import io.holdfast.saga.jdbc.internal.lock.LockReceipt.Row;
import io.holdfast.saga.jdbc.internal.lock.LockRequest.Claimer;
import io.holdfast.saga.jdbc.internal.table.TableSpec;
import io.holdfast.saga.jdbc.testing.Fixtures;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Protocol §9: rows that another saga holds, and what their deadline and holder make of them. */
@PostgresTest
class TakeOverTest {
    private static final LockSpec ANY = LockSpec.on(TableSpec.of("orders"));
    private static final LockSpec LOCK = ANY.from("NEW");
    private static final LockSpec TWO = ANY.from("NEW", "DRAFT");
    private static final Duration LONG = Duration.ofHours(1);

    private final TestDatabase database;
    private final LockWorld world;

    TakeOverTest(TestDatabase database) {
        this.database = database;
        this.world = new LockWorld(database.pool(4));
    }

    @BeforeEach
    void orders() {
        Fixtures.install(database.dataSource(), Fixtures.ORDERS);
    }

    private Object holder() {
        return world.row("orders", "id = 1").get("saga_id");
    }

    private void expire() {
        world.sql("UPDATE orders SET locked_until = clock_timestamp() - interval '1 second' WHERE saga_id IS NOT NULL");
    }

    /** A saga that has claimed row 1, whose deadline has passed since. */
    private UUID expiredHolder(LockSpec lock) {
        UUID holder = world.saga();
        world.claim(lock, holder, 1L);
        expire();
        return holder;
    }

    private void finish(UUID saga, String state) {
        world.set(
                saga,
                "state = '" + state + "', due_at = NULL, owner = NULL, direction = '"
                        + (state.equals("COMPLETED") ? "FORWARD" : "BACKWARD") + "'");
    }

    private void forget() {
        Sql.execute(database.dataSource(), "TRUNCATE saga_fw.saga, saga_fw.saga_log");
    }

    private ConcurrentSagaException busy(LockSpec lock) {
        return busy(lock, world.request(lock, world.saga(), 1L));
    }

    private ConcurrentSagaException busy(LockSpec lock, LockRequest request) {
        Object before = holder();
        var busy = catchThrowableOfType(ConcurrentSagaException.class, () -> world.claim(lock, request));
        assertThat(busy).isNotNull();
        assertThat(holder()).isEqualTo(before);
        return busy;
    }

    private void assertTaken(LockSpec lock, String former) {
        UUID saga = world.saga();
        LockReceipt receipt = world.claim(lock, saga, 1L);
        assertThat(receipt.rows()).containsExactly(new Row(List.of("1"), former, ACQUIRED));
        assertThat(holder()).isEqualTo(saga);
        world.restore(saga, receipt);
        assertThat(world.row("orders", "id = 1")).containsEntry("status", former);
    }

    @ParameterizedTest
    @ValueSource(strings = {"COMPLETED", "COMPENSATED"})
    void an_expired_row_of_a_finished_saga_is_taken_with_the_status_its_journal_says(String state) {
        world.sql("UPDATE orders SET status = 'DRAFT' WHERE id = 1");
        finish(expiredHolder(TWO), state);

        assertTaken(TWO, "DRAFT");
    }

    @Test
    @DisplayName("B57: a row of a finished saga that is not past its deadline is busy, afterwards it is taken")
    void before_the_deadline_it_is_busy() {
        UUID holder = world.saga();
        world.claim(LOCK, holder, 1L);
        finish(holder, "COMPLETED");
        assertThat(busy(LOCK).holderState()).isEqualTo("COMPLETED at step work");

        expire();

        assertTaken(LOCK, "NEW");
    }

    @Test
    @DisplayName("B57: rows of sagas that are gone are taken as from() says, else as orphanedAs() says, else refused")
    void an_unknown_holder() {
        expiredHolder(LOCK);
        forget();

        assertRefused(Reason.WRONG_STATUS, ANY);
        assertRefused(Reason.WRONG_STATUS, TWO);
        assertTaken(LOCK, "NEW");

        expiredHolder(LOCK);
        forget();
        assertTaken(TWO.orphanedAs("DRAFT"), "DRAFT");
    }

    @Test
    void the_pending_status_is_never_a_former_one() {
        LockSpec other = ANY.pending("LOCKED");
        world.sql("UPDATE orders SET status = 'PENDING' WHERE id = 1");
        finish(expiredHolder(other), "COMPLETED");

        assertRefused(Reason.WRONG_STATUS, ANY);
        assertTaken(LOCK, "NEW");
    }

    @Test
    void a_former_status_that_the_lock_does_not_take_is_refused() {
        world.sql("UPDATE orders SET status = 'DRAFT' WHERE id = 1");
        finish(expiredHolder(TWO), "COMPENSATED");

        assertRefused(Reason.WRONG_STATUS, LOCK);
    }

    @Test
    @DisplayName("B57: a saga started again after its rows were purged adopts what its former life left, and undoes it")
    void a_former_life_of_the_saga() {
        UUID saga = expiredHolder(LOCK);
        forget();

        LockReceipt receipt = world.claim(LOCK, world.request(LOCK, saga, 1L));

        assertThat(receipt.rows()).containsExactly(new Row(List.of("1"), "NEW", ACQUIRED));
        world.restore(saga, receipt);
        assertThat(world.row("orders", "id = 1")).containsEntry("status", "NEW").containsEntry("saga_id", null);
    }

    @Test
    void an_overdue_holder_is_to_be_recovered_but_not_for_ever() {
        UUID holder = expiredHolder(LOCK);
        world.set(holder, "due_at = clock_timestamp() - interval '1 second'");

        assertThat(busy(LOCK).advice()).isEqualTo(Advice.RECOVER_HOLDER);

        var late = new LockRequest(claimer(false, Instant.now()), List.of(List.of("1")), LONG, HeldRow.RECOVERY);
        assertThat(busy(LOCK, late).advice()).isEqualTo(Advice.FAIL);
        assertThat(busy(LOCK.waiting(LONG), late).advice()).isEqualTo(Advice.WAIT);
    }

    @ParameterizedTest
    @CsvSource({"RUNNING, node, 1 hour", "RUNNING,, 1 hour", "COMPENSATING, node, 1 hour", "STUCK,,"})
    @DisplayName("a passed deadline does not free a row whose holder is alive, parked or stuck")
    void a_passed_deadline_alone_frees_nothing(String state, String owner, String dueIn) {
        UUID holder = world.saga(state, "NONE", owner, dueIn);
        world.sql("UPDATE orders SET status = 'PENDING', saga_id = '" + holder + "' WHERE id = 1");

        assertThat(busy(LOCK).advice()).isEqualTo(Advice.FAIL);
    }

    private Claimer claimer(boolean holdsRows, Instant createdAt) {
        return new Claimer(world.saga(), createdAt, holdsRows, "node");
    }

    private LockRequest request(Claimer claimer, Duration sinceStep) {
        return new LockRequest(claimer, List.of(List.of("1")), LONG, sinceStep);
    }

    @Test
    @DisplayName("B51: of two sagas that hold rows the older one waits and the younger gives way, within the bound")
    void wait_die() {
        LockSpec patient = LOCK.waiting(Duration.ofMinutes(1));
        UUID holder = world.saga();
        world.claim(LOCK, holder, 1L);
        Instant before = Instant.now().minusSeconds(3600);
        Instant after = Instant.now().plusSeconds(3600);

        assertThat(busy(patient, request(claimer(true, before), Duration.ZERO)).advice())
                .isEqualTo(Advice.WAIT);
        assertThat(busy(patient, request(claimer(true, after), Duration.ZERO)).advice())
                .isEqualTo(Advice.FAIL);
        assertThat(busy(patient, request(claimer(false, after), Duration.ZERO)).advice())
                .isEqualTo(Advice.WAIT);
        assertThat(busy(patient, request(claimer(true, before), Duration.ofMinutes(1)))
                        .advice())
                .isEqualTo(Advice.FAIL);
        assertThat(busy(LOCK, request(claimer(true, before), Duration.ZERO)).advice())
                .isEqualTo(Advice.FAIL);
    }

    @Test
    void take_over_expired_turns_a_running_holder_back_in_the_same_transaction() {
        UUID holder = expiredHolder(LOCK);

        assertTaken(LOCK.takingOver(), "NEW");

        assertThat(world.saga(holder, "state || ' ' || direction || ' ' || owner || ' ' || run_seq"))
                .isEqualTo("COMPENSATING BACKWARD node 1");
        assertThat(world.journal(holder)).containsExactly("STEP_DONE", "TURNED_BACK");
    }

    @Test
    void take_over_expired_fences_a_holder_that_nobody_drives() {
        UUID holder = expiredHolder(LOCK);
        world.set(holder, "owner = NULL, takeovers = 1");

        assertTaken(LOCK.takingOver(), "NEW");

        assertThat(world.saga(holder, "run_seq || ' ' || takeovers || ' ' || (due_at <= clock_timestamp())"))
                .isEqualTo("2 0 true");
    }

    @Test
    void what_take_over_expired_did_to_the_holder_is_undone_when_the_claim_fails() {
        UUID holder = expiredHolder(TWO);
        world.claim(LOCK, world.saga(), 2L);

        assertThatThrownBy(() -> world.claim(LOCK.takingOver(), world.saga(), 1L, 2L))
                .isInstanceOf(ConcurrentSagaException.class);

        assertThat(world.saga(holder, "state")).isEqualTo("RUNNING");
        assertThat(holder()).isEqualTo(holder);
    }

    @ParameterizedTest
    @CsvSource({"RUNNING, BEGUN", "RUNNING, PASSED", "COMPENSATING, NONE"})
    void take_over_expired_leaves_a_holder_alone_that_cannot_turn_back(String state, String pivot) {
        UUID holder = expiredHolder(LOCK);
        String direction = state.equals("RUNNING") ? "FORWARD" : "BACKWARD";
        world.set(holder, "state = '" + state + "', pivot = '" + pivot + "', direction = '" + direction + "'");

        busy(LOCK.takingOver());

        assertThat(world.saga(holder, "state")).isEqualTo(state);
    }

    @Test
    void take_over_expired_respects_a_deadline_that_has_not_passed() {
        UUID holder = world.saga();
        world.claim(LOCK, holder, 1L);

        busy(LOCK.takingOver());

        assertThat(world.saga(holder, "state")).isEqualTo("RUNNING");
    }

    @Test
    void a_holder_column_that_holds_no_saga_is_reported() {
        world.sql("ALTER TABLE orders ALTER saga_id TYPE text; UPDATE orders SET status = 'PENDING', saga_id = 'me'"
                + " WHERE id = 1");

        assertRefused(Reason.MARK_REFUSED, LOCK);
    }

    private void assertRefused(Reason reason, LockSpec lock) {
        assertThatThrownBy(() -> world.claim(lock, world.saga(), 1L))
                .isInstanceOfSatisfying(
                        RowUnavailableException.class,
                        e -> assertThat(e.reason()).isEqualTo(reason));
    }
}
