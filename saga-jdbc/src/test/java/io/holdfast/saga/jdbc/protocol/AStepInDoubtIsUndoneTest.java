package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.StepRejectedException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/**
 * B26 and B35, §4: a call is undone unless its participant rejected it or it never began. What is not known is said, not guessed;
 * a local step that failed has rolled back and is not undone.
 */
@ProtocolTest
class AStepInDoubtIsUndoneTest {
    /** What a call returns. */
    record Receipt(String number) {}

    private static final StepKey<Receipt> CALL = StepKey.of("call", Receipt.class);

    /** What each compensation was told about its action. */
    private final List<Optional<Receipt>> told = new CopyOnWriteArrayList<>();

    /** The call lands, its answer is lost, the saga turns back: without the rule it would turn back past the call. */
    @Test
    void a_call_whose_answer_was_lost_is_undone_as_unknown(World world) {
        world.acts().failAt("call" + Acts.DONE, 1);
        TestNode a = world.node("a").knowing(definition(world, RetryPolicy.none()));
        UUID saga = a.start("lost answer").sagaId();

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(told).containsExactly(Optional.empty());
        assertThat(world.participant().inEffect(saga)).isEmpty();
        assertThat(world.story(saga))
                .containsExactly(
                        "STARTED take",
                        "STEP_DONE take",
                        "STEP_FAILED call",
                        "TURNED_BACK call",
                        "STEP_UNDONE call",
                        "STEP_UNDONE take",
                        "COMPENSATED");
    }

    /** One attempt in doubt is not cleared by a later one that surely did nothing, such as a refused connection. */
    @Test
    void a_doubt_outlasts_a_later_failure(World world) {
        Acts acts = world.acts();
        acts.at("call" + Acts.DONE, ctx -> {
            throw new Acts.Planned("the answer is lost");
        });
        acts.at("call", ctx -> {
            if (ctx.attempt() == 2) {
                throw new Acts.Planned("connection refused");
            }
        });
        RetryPolicy twice = RetryPolicy.fixed(Duration.ofMillis(5)).maxAttempts(2);
        TestNode a = world.node("a").knowing(definition(world, twice));
        UUID saga = a.start("sticky").sagaId();

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(told).containsExactly(Optional.empty());
        assertThat(world.participant().calls(saga, "call")).isEqualTo(1);
        assertThat(world.participant().inEffect(saga)).isEmpty();
    }

    /** Surely not done: the journal says so, and its compensation does not run. */
    @Test
    void a_call_that_was_rejected_is_not_undone(World world) {
        world.acts().at("call", ctx -> {
            throw new StepRejectedException("no");
        });
        TestNode a = world.node("a").knowing(definition(world, RetryPolicy.DEFAULT));
        UUID saga = a.start("rejected").sagaId();

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(told).isEmpty();
        assertThat(world.count(saga, Kind.STEP_REJECTED)).isEqualTo(1);
        world.effects().assertRan(saga, "take action", "call action", "take compensation");
    }

    /** Neither is a local step, whose transaction says whether it happened. */
    @Test
    void a_local_step_that_failed_is_not_undone(World world) {
        Acts acts = world.acts();
        acts.failAt("take" + Acts.DONE, 1);
        TestNode a = world.node("a")
                .knowing(SagaDefinition.builder(Order.TYPE)
                        .step(acts.undoable("call"))
                        .step(acts.undoable(acts.local("take").retry(RetryPolicy.none())))
                        .build());
        UUID saga = a.start("local").sagaId();

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPENSATED);
        world.effects().assertRan(saga, "call action", "take action", "call compensation");
    }

    /** What is known is handed over, also where the saga turned back only later. */
    @Test
    void a_call_that_is_done_is_undone_with_its_result(World world) {
        Acts acts = world.acts();
        acts.rejectAt("refused");
        TestNode a = world.node("a")
                .knowing(SagaDefinition.builder(Order.TYPE)
                        .step(call(world, RetryPolicy.DEFAULT))
                        .step(acts.undoable("refused"))
                        .build());
        UUID saga = a.start("known").sagaId();

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(told).containsExactly(Optional.of(new Receipt("r-1")));
    }

    /** An outcome that came late is read by an undo that is still pending: it has a result to work with then. */
    @Test
    void a_late_outcome_is_told_to_the_undo_that_is_pending(World world) {
        Acts acts = world.acts();
        world.gates().holdStubbornly("call" + Acts.DONE);
        acts.failAt(Acts.UNDO + "call", 1);
        TestNode a = world.node("a")
                .inPlace(Duration.ZERO)
                .knowing(SagaDefinition.builder(Order.TYPE)
                        .step(acts.steps()
                                .external(CALL, ctx -> {
                                    acts.call("call", ctx);
                                    return new Receipt("r-1");
                                })
                                .timeout(Duration.ofMillis(200))
                                .retry(RetryPolicy.none())
                                .compensatedBy((ctx, known) -> {
                                    told.add(known);
                                    acts.undo("call", ctx);
                                })
                                .compensationRetry(RetryPolicy.fixed(Duration.ofHours(1))))
                        .build());
        UUID saga = a.start("late").sagaId();
        world.waitUntil("its undo is to be tried again", () -> world.count(saga, Kind.COMPENSATION_FAILED) == 1);
        world.gates().open("call" + Acts.DONE);
        world.waitUntil("its outcome has come", () -> world.count(saga, Kind.LATE) == 1);

        world.waitUntil("it is parked", () -> world.saga(saga).owner().isEmpty());
        world.expireLease(saga);
        assertThat(a.reapToItsEnd(saga).state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(told).containsExactly(Optional.empty(), Optional.of(new Receipt("r-1")));
    }

    private SagaDefinition<Order> definition(World world, RetryPolicy retry) {
        return SagaDefinition.builder(Order.TYPE)
                .step(world.acts().undoableLocal("take"))
                .step(call(world, retry))
                .build();
    }

    private CompensatableStep<Order> call(World world, RetryPolicy retry) {
        Acts acts = world.acts();
        return acts.steps()
                .external(CALL, ctx -> {
                    acts.call("call", ctx);
                    return new Receipt("r-1");
                })
                .retry(retry)
                .compensatedBy((ctx, known) -> {
                    told.add(known);
                    acts.undo("call", ctx);
                });
    }
}
