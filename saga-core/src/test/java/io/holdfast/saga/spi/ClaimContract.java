package io.holdfast.saga.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.SagaState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The claim (protocol §10): what is due, of known definitions only, no more than asked for, never twice. */
interface ClaimContract extends StoreUnderTest {
    @Test
    default void a_parked_saga_is_claimed_with_a_lease_and_the_next_run_seq() {
        StoredSaga parked = moved(Changes.parked(moved(Changes.failed(owned("a"))), Duration.ofHours(1)));
        passTime(Duration.ofHours(2));

        Claimed claimed = store().claimDue(order(OTHER_NODE, 5)).get(0);

        assertThat(claimed.from()).isEqualTo(Claimed.From.PARKED);
        StoredSaga saga = claimed.saga();
        assertUntouched(saga);
        assertThat(saga.owner()).contains(OTHER_NODE);
        assertDueIn(saga, LEASE);
        assertThat(saga.runSeq()).isEqualTo(parked.runSeq() + 1);
        assertThat(saga.attempts()).isEqualTo(1);
        assertThat(saga.takeovers()).isZero();
        assertThat(saga.step()).isEqualTo(parked.step());
        assertThat(kinds(saga.sagaId())).doesNotContain(Kind.TAKEN_OVER);
    }

    @Test
    default void an_expired_lease_is_taken_over_and_journalled() {
        StoredSaga before = moved(Changes.failed(owned("a")));
        passTime(LEASE.plusMinutes(1));

        Claimed claimed = store().claimDue(order(OTHER_NODE, 5)).get(0);

        assertThat(claimed.from()).isEqualTo(Claimed.From.EXPIRED);
        StoredSaga saga = claimed.saga();
        assertUntouched(saga);
        assertThat(saga.owner()).contains(OTHER_NODE);
        assertDueIn(saga, LEASE);
        assertThat(saga.runSeq()).isEqualTo(before.runSeq() + 1);
        assertThat(saga.attempts()).isEqualTo(1);
        assertThat(saga.takeovers()).isEqualTo(1);
        StoredEntry entry = lastEntry(saga.sagaId());
        assertThat(entry.kind()).isEqualTo(Kind.TAKEN_OVER);
        assertThat(entry.step()).contains("first");
        assertThat(entry.runSeq()).isEqualTo(saga.runSeq());
        assertThat(entry.node()).isEqualTo(OTHER_NODE);
        assertThat(entry.note().orElseThrow()).contains(NODE);
    }

    @Test
    default void every_expired_lease_counts() {
        StoredSaga saga = owned("a");
        for (int i = 1; i <= 3; i++) {
            passTime(LEASE.plusMinutes(1));
            saga = store().claimDue(order(OTHER_NODE, 1)).get(0).saga();
            assertThat(saga.takeovers()).isEqualTo(i);
            assertThat(saga.runSeq()).isEqualTo(1 + i);
        }
    }

    @Test
    default void a_saga_that_goes_back_is_claimed_as_it_is() {
        StoredSaga back = moved(Changes.turnedBack(owned("a")));
        passTime(LEASE.plusMinutes(1));

        StoredSaga saga = store().claimDue(order(OTHER_NODE, 1)).get(0).saga();

        assertThat(saga.position())
                .usingRecursiveComparison()
                .ignoringFields("stepAt")
                .isEqualTo(back.position());
        assertThat(saga.state()).isEqualTo(SagaState.COMPENSATING);
    }

    @Test
    default void what_is_not_due_is_not_claimed() {
        UUID leased = owned("a").sagaId();
        UUID parked = moved(Changes.parked(owned("b"), Duration.ofHours(1))).sagaId();

        assertThat(store().claimDue(order(OTHER_NODE, 5))).isEmpty();
        assertThat(store().claim(leased, order(OTHER_NODE, 5))).isEmpty();
        assertThat(store().claim(parked, order(OTHER_NODE, 5))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"STUCK", "COMPLETED"})
    default void what_has_ended_or_is_stuck_is_never_claimed(SagaState end) {
        UUID id = moved(Changes.ended(owned("a"), end)).sagaId();
        passTime(Duration.ofDays(1000));

        assertThat(store().claimDue(order(OTHER_NODE, 5))).isEmpty();
        assertThat(store().claim(id, order(OTHER_NODE, 5))).isEmpty();
    }

    @Test
    default void only_known_definitions_are_claimed() {
        List<UUID> unknown = new ArrayList<>();
        for (DefinitionRef other : List.of(Samples.OTHER_HASH, Samples.OTHER_VERSION, Samples.OTHER_TYPE)) {
            NewSaga saga = Samples.saga("of " + other.typeName() + other.hash() + other.typeVersion(), other);
            unknown.add(store().insertUnowned(saga, NODE, null).saga().sagaId());
        }
        passTime(Duration.ofMinutes(1)); // the unknown ones are at the head
        UUID known = unowned("a").sagaId();

        assertThat(store().claimDue(order(OTHER_NODE, 1)))
                .extracting(c -> c.saga().sagaId())
                .containsExactly(known);
        assertThat(store().claimDue(order(OTHER_NODE, 5))).isEmpty();
        for (UUID id : unknown) {
            assertThat(store().claim(id, order(OTHER_NODE, 1))).isEmpty();
        }
    }

    @Test
    default void who_knows_nothing_claims_nothing() {
        unowned("a");

        assertThat(store().claimDue(new ClaimOrder(NODE, LEASE, List.of(), 5))).isEmpty();
    }

    @Test
    default void no_more_are_claimed_than_asked_for_and_the_longest_due_first() {
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            ids.add(unowned("a" + i).sagaId());
            passTime(Duration.ofMinutes(1));
        }

        assertThat(store().claimDue(order(OTHER_NODE, 3)))
                .extracting(c -> c.saga().sagaId())
                .containsExactlyInAnyOrderElementsOf(ids.subList(0, 3));
        assertThat(store().claimDue(order(OTHER_NODE, 9)))
                .extracting(c -> c.saga().sagaId())
                .containsExactlyInAnyOrderElementsOf(ids.subList(3, 7));
    }

    @ParameterizedTest
    @EnumSource
    default void definitions_are_served_in_the_order_given(Served first) {
        unowned("a");
        store().insertUnowned(Samples.saga("a", Samples.OTHER_TYPE), NODE, null);

        var claimed = store().claimDue(new ClaimOrder(OTHER_NODE, LEASE, first.definitions, 1));

        assertThat(claimed).extracting(c -> c.saga().origin().definition()).containsExactly(first.definitions.get(0));
    }

    /** Whose turn it is. */
    @SuppressWarnings("ImmutableEnumChecker") // List.of is
    enum Served {
        ORDERS(List.of(Samples.DEFINITION, Samples.OTHER_TYPE)),
        REFUNDS(List.of(Samples.OTHER_TYPE, Samples.DEFINITION));

        private final List<DefinitionRef> definitions;

        Served(List<DefinitionRef> definitions) {
            this.definitions = definitions;
        }
    }

    @Test
    default void a_claim_narrowed_to_one_takes_that_one() {
        unowned("a");
        UUID wanted = unowned("b").sagaId();

        Claimed claimed = store().claim(wanted, order(OTHER_NODE, 5)).orElseThrow();

        assertThat(claimed.saga().sagaId()).isEqualTo(wanted);
        assertThat(claimed.from()).isEqualTo(Claimed.From.PARKED);
        assertUntouched(claimed.saga());
        assertThat(store().claim(wanted, order(OTHER_NODE, 5))).isEmpty();
        assertThat(store().claim(UUID.randomUUID(), order(OTHER_NODE, 5))).isEmpty();
    }

    @Test
    default void many_claimers_take_each_saga_once() {
        for (int i = 0; i < 40; i++) {
            unowned("a" + i);
        }

        List<UUID> claimed = Together.run(8, i -> claimAll("node-" + i)).stream()
                .flatMap(List::stream)
                .toList();

        assertThat(claimed).hasSize(40).doesNotHaveDuplicates();
        assertThat(claimed).allSatisfy(id -> assertThat(load(id).runSeq()).isEqualTo(1));
    }

    /** B03: the race is run often, since the one that goes wrong is rare. */
    @Test
    default void of_many_claimers_of_one_saga_one_gets_it() {
        List<UUID> ids =
                IntStream.range(0, 25).mapToObj(i -> owned("a" + i).sagaId()).toList();
        passTime(LEASE.plusMinutes(1));

        for (UUID id : ids) {
            var claimed = Together.run(8, i -> store().claim(id, order("node-" + i, 1)));

            assertThat(claimed.stream().flatMap(answer -> answer.stream())).hasSize(1);
            assertThat(load(id).runSeq()).isEqualTo(2);
            assertThat(kinds(id)).containsExactly(Kind.STARTED, Kind.TAKEN_OVER);
        }
    }

    /** Skipped rows are somebody else's, so an empty answer is the end for this claimer only. */
    private List<UUID> claimAll(String owner) {
        List<UUID> all = new ArrayList<>();
        List<Claimed> some = store().claimDue(order(owner, 3));
        while (!some.isEmpty()) {
            some.forEach(claimed -> all.add(claimed.saga().sagaId()));
            some = store().claimDue(order(owner, 3));
        }
        return all;
    }
}
