package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.StepKey;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** B37 and B27: results are in the journal, and so is how often a step was tried; both are there on whatever node goes on. */
@ProtocolTest
class WhatAStepReturnedOutlivesItsNodeTest {
    /** What the first step returns. */
    record Payment(String reference, long cents) {}

    private static final StepKey<Payment> PAY = StepKey.of("pay", Payment.class);

    private final List<Payment> used = new CopyOnWriteArrayList<>();

    @Test
    void a_later_step_reads_it_on_another_node(World world) {
        UUID saga = takenOverAtTheThirdStep(world, world.acts("b"));

        assertThat(world.saga(saga).state()).isEqualTo(SagaState.COMPLETED);
        assertThat(used).containsExactly(new Payment("p-1", 4200));
    }

    @Test
    void a_compensation_reads_it_on_another_node(World world) {
        Acts there = world.acts("b");
        there.rejectAt("use");
        UUID saga = takenOverAtTheThirdStep(world, there);

        assertThat(world.saga(saga).state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(used).containsExactly(new Payment("p-1", 4200));
    }

    /** The second step fails twice first: its retries must not wipe out what the first has returned. */
    private UUID takenOverAtTheThirdStep(World world, Acts there) {
        Acts here = world.acts("a");
        here.failAt("fails", 2);
        TestNode a = world.node("a").withoutHeartbeat().knowing(definition(here));
        TestNode b = world.node("b").knowing(definition(there));
        world.gates().hold("a:use");
        UUID saga = a.start("results").sagaId();
        world.gates().awaitArrival("a:use");
        world.expireLease(saga);
        b.reapToItsEnd(saga);
        return saga;
    }

    /** B27: three attempts in all, not three per node; one without an outcome is no attempt. */
    @Test
    void attempts_are_counted_over_all_nodes(World world) {
        TestNode a = world.node("a").withoutHeartbeat().knowing(failing(world.acts("a")));
        TestNode b = world.node("b").knowing(failing(world.acts("b")));
        world.gates().hold("a:second");
        UUID saga = a.start("counted").sagaId();
        world.gates().awaitArrival("a:second");
        world.expireLease(saga);

        assertThat(b.reapToItsEnd(saga).state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(world.journal(saga).stream()
                        .filter(entry -> entry.kind() == Kind.STEP_FAILED)
                        .map(entry -> entry.node() + " " + entry.attempt()))
                .containsExactly("a 1", "b 2", "b 3");
    }

    private static SagaDefinition<Order> failing(Acts acts) {
        acts.at("take-fails", ctx -> {
            if (ctx.attempt() == 2) {
                acts.pass("second");
            }
            throw new Acts.Planned("always");
        });
        return SagaDefinition.builder(Order.TYPE)
                .step(acts.undoableLocal("take"))
                .step(acts.undoable(acts.local("take-fails")
                        .retry(RetryPolicy.fixed(Duration.ofMillis(5)).maxAttempts(3))))
                .build();
    }

    private SagaDefinition<Order> definition(Acts acts) {
        CompensatableStep<Order> pay = acts.steps()
                .external(PAY, ctx -> {
                    acts.call("pay", ctx);
                    return new Payment("p-1", 4200);
                })
                .compensatedBy((ctx, known) -> {
                    used.add(known.orElseThrow());
                    acts.undo("pay", ctx);
                });
        CompensatableStep<Order> use = acts.undoable(acts.steps().external("use", ctx -> {
            acts.call("use", ctx);
            used.add(ctx.result(PAY));
        }));
        return SagaDefinition.builder(Order.TYPE)
                .step(pay)
                .step(acts.undoable(acts.external("fails")
                        .retry(RetryPolicy.fixed(Duration.ofMillis(5)).maxAttempts(3))))
                .step(use)
                .build();
    }
}
