package io.holdfast.saga.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.SagaState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The heartbeat (protocol §7): it moves due_at of what this node drives, and touches nothing else. */
interface RenewalContract extends StoreUnderTest {
    @Test
    default void a_renewal_moves_due_at_and_nothing_else() {
        owned("a");
        passTime(LEASE.plusMinutes(1));
        StoredSaga before =
                moved(Changes.failed(store().claimDue(order(NODE, 1)).get(0).saga()));
        passTime(Duration.ofMinutes(5));
        before = load(before.sagaId());

        assertThat(renew(Map.of(before.sagaId(), before.runSeq())))
                .containsExactly(Map.entry(before.sagaId(), SagaState.RUNNING));

        StoredSaga after = load(before.sagaId());
        assertDueIn(after, LEASE);
        assertThat(after.owner()).contains(NODE);
        assertThat(after.runSeq()).isEqualTo(before.runSeq());
        assertThat(after.takeovers()).isEqualTo(1);
        assertThat(after.position()).isEqualTo(before.position());
    }

    @Test
    default void the_answer_says_which_sagas_were_turned_back_meanwhile() {
        UUID running = owned("a").sagaId();
        UUID cancelled = owned("b").sagaId();
        store().cancel(cancelled, OTHER_NODE, "changed my mind");

        assertThat(renew(Map.of(running, 1L, cancelled, 1L)))
                .containsOnly(Map.entry(running, SagaState.RUNNING), Map.entry(cancelled, SagaState.COMPENSATING));
    }

    @Test
    default void a_lease_that_is_over_but_taken_by_nobody_is_renewed() {
        UUID id = owned("a").sagaId();
        passTime(LEASE.plusMinutes(1));

        assertThat(renew(Map.of(id, 1L))).containsKey(id);
        assertDueIn(load(id), LEASE);
    }

    @Test
    default void a_lost_lease_is_not_renewed() {
        UUID id = owned("a").sagaId();
        passTime(LEASE.plusMinutes(1));
        StoredSaga taken = store().claimDue(order(OTHER_NODE, 1)).get(0).saga();

        assertThat(renew(Map.of(id, 1L))).isEmpty();
        assertUntouched(taken);
    }

    @Test
    default void a_late_renewal_does_not_touch_what_is_parked_stuck_or_ended() {
        StoredSaga parked = moved(Changes.parked(owned("a"), Duration.ofHours(1)));
        StoredSaga stuck = moved(Changes.ended(owned("b"), SagaState.STUCK));
        StoredSaga completed = moved(Changes.ended(owned("c"), SagaState.COMPLETED));
        StoredSaga compensated = moved(Changes.ended(moved(Changes.turnedBack(owned("d"))), SagaState.COMPENSATED));

        for (StoredSaga saga : List.of(parked, stuck, completed, compensated)) {
            assertThat(renew(Map.of(saga.sagaId(), saga.runSeq()))).isEmpty();
            assertUntouched(saga);
        }
    }

    @Test
    default void an_attempt_given_up_needs_the_new_run_seq() {
        StoredSaga saga = moved(Changes.failed(owned("a")).tenure(new Change.Raised()));

        assertThat(renew(Map.of(saga.sagaId(), 1L))).isEmpty();
        assertThat(renew(Map.of(saga.sagaId(), 2L))).containsKey(saga.sagaId());
    }

    @Test
    default void one_lost_lease_does_not_stop_the_others() {
        UUID kept = owned("a").sagaId();
        UUID ended = moved(Changes.ended(owned("b"), SagaState.COMPLETED)).sagaId();

        assertThat(renew(Map.of(kept, 1L, ended, 1L, UUID.randomUUID(), 1L))).containsOnlyKeys(kept);
    }

    @Test
    default void a_heartbeat_can_rest_and_go_on() {
        UUID id = owned("a").sagaId();
        try (LeaseKeeper keeper = store().leaseKeeper()) {
            keeper.rest();
            assertThat(keeper.renew(Map.of(), LEASE)).isEmpty();
            assertThat(keeper.renew(Map.of(id, 1L), LEASE)).containsKey(id);
            keeper.extend(List.of());
            keeper.rest();
            assertThat(keeper.renew(Map.of(id, 1L), LEASE)).containsKey(id);
        }
    }

    private Map<UUID, SagaState> renew(Map<UUID, Long> runSeqs) {
        try (LeaseKeeper keeper = store().leaseKeeper()) {
            return keeper.renew(runSeqs, LEASE);
        }
    }
}
