package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** B38: what ended the way forward does not end the way back. */
@ProtocolTest
class ACompensationHasACleanThreadTest {
    /** (a) A cancel: the compensation is not cancelled with it, and has a connection that works. */
    @Test
    void after_a_cancel(World world) {
        Acts acts = world.acts();
        AtomicReference<String> seen = observed(acts);
        TestNode a = world.node("a").knowing(definition(acts));
        world.gates().hold("call");
        UUID saga = a.start("cancel").sagaId();
        world.gates().awaitArrival("call");
        a.engine().handle(saga).cancel("no");
        world.gates().open("call");

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(seen).hasValue("clean");
    }

    /** A step that interrupts its own thread: the flag is its own affair. */
    @Test
    void after_a_step_that_set_the_interrupt_flag(World world) {
        Acts acts = world.acts();
        AtomicReference<String> seen = observed(acts);
        acts.at("call", ctx -> {
            Thread.currentThread().interrupt();
            throw new Acts.Planned("interrupted itself");
        });
        TestNode a = world.node("a").knowing(definition(acts));

        assertThat(a.runToItsEnd("flag").state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(seen).hasValue("clean");
    }

    /** (b) The caller of {@code run} is interrupted: the saga is undone on his thread, which comes to its end. */
    @Test
    void when_the_calling_thread_is_interrupted(World world) {
        Acts acts = world.acts();
        AtomicReference<String> seen = observed(acts);
        TestNode a = world.node("a").knowing(definition(acts));
        world.gates().hold("call");
        AtomicReference<Thread> caller = new AtomicReference<>();
        AtomicBoolean toldAgain = new AtomicBoolean();
        var call = CompletableFuture.supplyAsync(() -> {
            caller.set(Thread.currentThread());
            var outcome = a.engine().run(Order.TYPE, "interrupted", new Order(1), Duration.ofSeconds(20));
            toldAgain.set(Thread.interrupted());
            return outcome;
        });
        world.gates().awaitArrival("call");
        caller.get().interrupt();

        assertThat(call.join())
                .hasValueSatisfying(outcome -> assertThat(outcome.state()).isEqualTo(SagaState.COMPENSATED));
        assertThat(seen).hasValue("clean");
        assertThat(toldAgain).isTrue();
    }

    private static AtomicReference<String> observed(Acts acts) {
        AtomicReference<String> seen = new AtomicReference<>();
        acts.at(Acts.UNDO + "take", ctx -> {
            boolean clean = !Thread.currentThread().isInterrupted() && !ctx.isCancelled();
            seen.set(clean ? "clean" : "spoiled");
        });
        return seen;
    }

    private static SagaDefinition<Order> definition(Acts acts) {
        return SagaDefinition.builder(Order.TYPE)
                .step(acts.undoableLocal("take"))
                .step(acts.undoable(acts.external("call").retry(RetryPolicy.none())))
                .build();
    }
}
