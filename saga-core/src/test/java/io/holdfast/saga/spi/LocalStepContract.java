package io.holdfast.saga.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.SagaState;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Local steps (protocol §3): work, journal and move are one transaction, whose guard comes last. What the work writes here is
 * another saga, started in the same transaction.
 */
interface LocalStepContract extends StoreUnderTest {
    NewSaga WRITTEN = Samples.saga("written");

    @Test
    default void work_and_move_are_committed_together() throws Exception {
        StoredSaga saga = owned("a");
        Change change = Changes.next(saga, "second").change();

        SagaStore.Applied applied = store().moveWith(saga.guard(), NODE, Attempts.of(transaction -> {
                    assertThat(store().insertUnowned(WRITTEN, NODE, transaction).kind())
                            .isEqualTo(Insertion.Kind.INSERTED);
                    return change;
                }))
                .orElseThrow();

        assertThat(applied.change()).isSameAs(change);
        assertThat(applied.moved().logSeq()).isEqualTo(2);
        assertThat(load(saga.sagaId()).step()).isEqualTo("second");
        assertThat(kinds(saga.sagaId())).containsExactly(Kind.STARTED, Kind.STEP_DONE);
        assertThat(load(WRITTEN.sagaId()).runSeq()).isZero();
    }

    @Test
    default void nothing_is_seen_before_the_commit() throws Exception {
        StoredSaga saga = owned("a");
        AtomicReference<Optional<StoredSaga>> seen = new AtomicReference<>();

        store().moveWith(saga.guard(), NODE, Attempts.of(transaction -> {
            store().insertUnowned(WRITTEN, NODE, transaction);
            seen.set(store().load(WRITTEN.sagaId()));
            return Changes.next(saga, "second").change();
        }));

        assertThat(seen.get()).isEmpty();
    }

    @Test
    default void a_saga_started_twice_in_one_transaction_is_found_there() throws Exception {
        StoredSaga saga = owned("a");

        store().moveWith(saga.guard(), NODE, Attempts.of(transaction -> {
            store().insertUnowned(WRITTEN, NODE, transaction);
            assertThat(store().insertUnowned(WRITTEN, NODE, transaction).kind()).isEqualTo(Insertion.Kind.FOUND);
            return Changes.next(saga, "second").change();
        }));

        assertThat(kinds(WRITTEN.sagaId())).containsExactly(Kind.STARTED);
    }

    @Test
    default void the_guard_is_looked_at_last() throws Exception {
        StoredSaga saga = owned("a");

        var applied = store().moveWith(saga.guard(), NODE, Attempts.of(transaction -> {
            store().insertUnowned(WRITTEN, NODE, transaction);
            store().cancel(saga.sagaId(), OTHER_NODE, "meanwhile");
            return Changes.next(saga, "second").change();
        }));

        assertThat(applied).isEmpty();
        assertThat(load(saga.sagaId()).state()).isEqualTo(SagaState.COMPENSATING);
        assertThat(kinds(saga.sagaId())).containsExactly(Kind.STARTED, Kind.TURNED_BACK);
        assertThat(store().load(WRITTEN.sagaId())).isEmpty();
    }

    @Test
    default void of_two_nodes_in_one_local_step_one_commits_and_the_other_keeps_nothing() {
        StoredSaga saga = owned("a");

        var applied = Together.run(2, i -> inOneStep(saga, "written-" + i));

        assertThat(applied.stream().flatMap(Optional::stream)).hasSize(1);
        assertThat(kinds(saga.sagaId())).containsExactly(Kind.STARTED, Kind.STEP_DONE);
        for (int i = 0; i < 2; i++) {
            assertThat(store().load(Samples.saga("written-" + i).sagaId()).isPresent())
                    .isEqualTo(applied.get(i).isPresent());
        }
    }

    private Optional<SagaStore.Applied> inOneStep(StoredSaga saga, String key) {
        try {
            return store().moveWith(saga.guard(), NODE, Attempts.of(transaction -> {
                store().insertUnowned(Samples.saga(key), NODE, transaction);
                return Changes.next(saga, "second").change();
            }));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    default void what_the_work_throws_is_passed_on_as_it_is() {
        StoredSaga saga = owned("a");
        IOException failure = new IOException("not today");

        assertThatThrownBy(() -> store().moveWith(saga.guard(), NODE, Attempts.of(transaction -> {
                    store().insertUnowned(WRITTEN, NODE, transaction);
                    throw failure;
                })))
                .isSameAs(failure);

        assertUntouched(saga);
        assertThat(kinds(saga.sagaId())).containsExactly(Kind.STARTED);
        assertThat(store().load(WRITTEN.sagaId())).isEmpty();
    }

    @Test
    default void an_error_of_the_work_is_passed_on_too() {
        StoredSaga saga = owned("a");
        StackOverflowError failure = new StackOverflowError("too deep");

        assertThatThrownBy(() -> store().moveWith(saga.guard(), NODE, Attempts.of(transaction -> {
                    throw failure;
                })))
                .isSameAs(failure);
        assertUntouched(saga);
    }

    @Test
    default void an_aborted_attempt_never_commits() {
        StoredSaga saga = owned("a");
        AtomicReference<Attempts> self = new AtomicReference<>();
        self.set(Attempts.of(transaction -> {
            store().insertUnowned(WRITTEN, NODE, transaction);
            Objects.requireNonNull(self.get().abort(), "told before the work").run();
            return Changes.next(saga, "second").change();
        }));

        assertThatThrownBy(() -> store().moveWith(saga.guard(), NODE, self.get()))
                .isInstanceOf(Exception.class);

        assertUntouched(saga);
        assertThat(store().load(WRITTEN.sagaId())).isEmpty();
    }
}
