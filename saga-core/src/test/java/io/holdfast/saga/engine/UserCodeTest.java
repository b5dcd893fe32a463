package io.holdfast.saga.engine;

import static io.holdfast.saga.Refusals.assertMisuse;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.StepContext;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.memory.InMemorySagas;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.MDC;

/** What user code may do to the engine, and what the engine promises around it. */
class UserCodeTest extends InVirtualTime {
    @AfterEach
    void soundJournal() {
        assertJournalIsSound();
    }

    static Stream<Throwable> hostileErrors() {
        return Stream.of(
                new NoClassDefFoundError("gone"),
                new StackOverflowError(),
                new AssertionError("no"),
                new ExceptionInInitializerError("no"),
                new OutOfMemoryError("pretended"),
                new Exception("checked, thrown sneakily"),
                new Error("of nobody's making"),
                new Mute());
    }

    @DisplayName("B111: whatever is thrown is a failure: recorded, undone, and the engine goes on")
    @ParameterizedTest
    @MethodSource("hostileErrors")
    void whatever_an_action_throws_is_a_failure(Throwable hostile) {
        assertThat(endOf(saga().step(step("a"))
                        .step(undoable("b", ctx -> sneak(hostile)).retry(every(MINUTE, 2)))
                        .build()))
                .isEqualTo(SagaState.COMPENSATED);

        assertThat(effects).containsExactly("a", "undo b", "undo a");
        assertThat(entries(Kind.STEP_FAILED))
                .hasSize(2)
                .allSatisfy(entry -> assertThat(entry.error().orElseThrow())
                        .contains(hostile.getClass().getSimpleName()));
        assertTheEngineStillWorks();
    }

    @DisplayName("B111: whatever a compensation throws is a failure too")
    @ParameterizedTest
    @MethodSource("hostileErrors")
    void whatever_an_undo_throws_is_a_failure(Throwable hostile) {
        assertThat(endOf(saga().step(external("a")
                                .compensatedBy((ctx, known) -> {
                                    if (ctx.attempt() == 1) {
                                        sneak(hostile);
                                    }
                                    effects.add("undo a");
                                })
                                .compensationRetry(every(MINUTE, 2)))
                        .pivot(external("pay", ctx -> {
                                    throw new IllegalStateException("no");
                                })
                                .rejectedOn(IllegalStateException.class))
                        .build()))
                .isEqualTo(SagaState.COMPENSATED);

        assertThat(effects).containsExactly("a", "undo a");
        assertTheEngineStillWorks();
    }

    private void assertTheEngineStillWorks() {
        sagas().start(TYPE, "43", "other data");
        advance(LONG);
        assertThat(sagas().handle(TYPE, "43").snapshot().orElseThrow().state().isFinal())
                .isTrue();
        journal.removeIf(entry -> journal.indexOf(entry) > lastOfTheFirst());
    }

    /** The second saga's entries begin with its start. */
    private int lastOfTheFirst() {
        return (int)
                journal.stream().skip(1).takeWhile(entry -> entry.seq() > 1).count();
    }

    @Test
    @DisplayName("B82: what cannot be stored is replaced in error text")
    void error_text_is_made_fit_to_be_stored() {
        run(saga().step(undoable("a", failing("a", new IllegalStateException("a\u0000b\uD800 😀")))
                        .retry(every(MINUTE, 1)))
                .build());

        assertThat(entries(Kind.STEP_FAILED).get(0).error().orElseThrow()).endsWith("a\uFFFDb\uFFFD 😀");
    }

    @Test
    void a_listener_that_throws_changes_nothing() {
        InMemorySagas hostile = InMemorySagas.builder()
                .register(saga().step(step("a")).build())
                .listener((saga, entry) -> {
                    throw new IllegalStateException("no");
                })
                .listener((saga, entry) -> {
                    throw new AssertionError("no");
                })
                .listener((saga, entry) -> journal.add(entry))
                .build();

        assertThat(hostile.run(TYPE, "42", "data", LONG).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
        assertThat(kinds()).containsExactly(Kind.STARTED, Kind.STEP_DONE, Kind.COMPLETED);
    }

    @Test
    void a_result_of_null_fails_the_attempt() {
        @SuppressWarnings("NullAway") // null is what is tried
        var step = steps.external(StepKey.of("a", Integer.class), ctx -> null);
        run(saga().step(step.noCompensation("has no effect").retry(every(MINUTE, 2)))
                .build());

        assertThat(snapshot().state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(entries(Kind.STEP_FAILED).get(0).error().orElseThrow()).contains("SAGA-303");
    }

    @Test
    void a_context_is_of_no_use_after_its_call() {
        List<StepContext<String>> kept = new ArrayList<>();
        run(saga().step(undoable("a", ctx -> {
                    kept.add(ctx);
                    assertThat(ctx.isCancelled()).isFalse();
                    assertThat(ctx.remaining()).isPositive();
                    assertThat(ctx.data()).isEqualTo("data");
                    assertThat(ctx.sagaId()).isEqualTo(snapshot().sagaId());
                }))
                .build());

        StepContext<String> late = kept.get(0);
        assertThat(late.isCancelled()).isTrue();
        assertMisuse(SagaError.CONTEXT_CLOSED, late::data).hasMessageContaining("\"a\"");
        assertMisuse(SagaError.CONTEXT_CLOSED, late::idempotencyKey);
        assertMisuse(SagaError.CONTEXT_CLOSED, late::sagaId);
        assertMisuse(SagaError.CONTEXT_CLOSED, late::attempt);
        assertMisuse(SagaError.CONTEXT_CLOSED, () -> late.findResult(StepKey.of("a", String.class)));
    }

    @Test
    void the_logging_context_names_the_saga_in_every_call_and_is_put_back() {
        List<Map<String, String>> seen = new ArrayList<>();
        MDC.put("saga.id", "the caller's own");
        try {
            run(saga().step(external("a", ctx -> seen.add(MDC.getCopyOfContextMap()))
                            .compensatedBy((ctx, known) -> seen.add(MDC.getCopyOfContextMap()))
                            .when(ctx -> seen.add(MDC.getCopyOfContextMap())))
                    .step(undoable("b", failing("b", new IllegalStateException("no")))
                            .retry(every(MINUTE, 1)))
                    .build());
            assertThat(MDC.get("saga.id")).isEqualTo("the caller's own");
            assertThat(MDC.get("saga.step")).isNull();
        } finally {
            MDC.clear();
        }

        String id = snapshot().sagaId().toString();
        assertThat(seen).hasSize(3).containsOnly(Map.of("saga.id", id, "saga.type", "order", "saga.step", "a"));
    }

    private static void sneak(Throwable hostile) throws Exception {
        if (hostile instanceof Error error) {
            throw error;
        }
        throw (Exception) hostile;
    }

    /** Cannot even be printed. */
    @SuppressWarnings("serial") // never serialised
    private static final class Mute extends RuntimeException {
        @Override
        public String getMessage() {
            throw new IllegalStateException("mute");
        }

        @Override
        public String toString() {
            throw new IllegalStateException("mute");
        }
    }
}
