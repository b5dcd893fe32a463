package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** saga.id, saga.type and saga.step are in the logging context around every call of user code, and what was there before comes back. */
@ProtocolTest
class EveryCallHasItsLoggingContextTest {
    private final List<String> seen = new CopyOnWriteArrayList<>();

    @Test
    void in_actions_compensations_and_conditions(World world) {
        Acts acts = world.acts();
        acts.at("call", ctx -> note("action"));
        acts.at("take", ctx -> note("action"));
        acts.at("undo-call", ctx -> note("compensation"));
        acts.at("undo-take", ctx -> note("compensation"));
        acts.failAt("fails", 1);
        SagaDefinition<Order> definition = SagaDefinition.builder(Order.TYPE)
                .step(acts.undoable("call").when(ctx -> note("condition")))
                .step(acts.undoableLocal("take").when(ctx -> note("condition")))
                .step(acts.undoable(acts.external("fails").retry(RetryPolicy.none())))
                .build();
        TestNode a = world.node("a").knowing(definition);

        MDC.put("saga.id", "the caller's");
        MDC.put("request", "r-1");
        try {
            assertThat(a.engine()
                            .run(Order.TYPE, "logged", new Order(1), Duration.ofSeconds(20))
                            .orElseThrow()
                            .state())
                    .isEqualTo(SagaState.COMPENSATED);
            assertThat(MDC.get("saga.id")).isEqualTo("the caller's");
            assertThat(MDC.get("saga.step")).isNull();
            assertThat(MDC.get("request")).isEqualTo("r-1");
        } finally {
            MDC.clear();
        }

        UUID saga = a.engine().handle(Order.TYPE, "logged").sagaId();
        String of = saga + " order ";
        assertThat(seen)
                .containsExactly(
                        "condition " + of + "call",
                        "action " + of + "call",
                        "condition " + of + "take",
                        "action " + of + "take",
                        "compensation " + of + "take",
                        "compensation " + of + "call");
    }

    private boolean note(String what) {
        seen.add(what + " " + MDC.get("saga.id") + " " + MDC.get("saga.type") + " " + MDC.get("saga.step"));
        return true;
    }
}
