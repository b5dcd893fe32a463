package io.holdfast.saga.memory;

import static io.holdfast.saga.Refusals.assertCoded;
import static io.holdfast.saga.Refusals.assertMisuse;
import static io.holdfast.saga.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaConflictException;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.Steps;
import io.holdfast.saga.Verdict;
import io.holdfast.saga.spi.PayloadCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What users of the unit test kit see; how sagas behave is in the tests of the engine. */
class InMemorySagasTest {
    /** Not fit for JSON, and none of the kit's business. */
    record Order(String id, Object anything) {}

    private static final SagaType<Order> TYPE = SagaType.of("order", 1, Order.class);
    private static final StepKey<String> RECEIPT = StepKey.of("pay", String.class);
    private static final Order ORDER = new Order("42", new Object());

    private final Steps<Order> steps = Steps.of(Order.class);
    private final List<String> calls = new ArrayList<>();
    private final SagaDefinition<Order> definition = SagaDefinition.builder(TYPE)
            .step(steps.external("check", ctx -> calls.add("check")).noCompensation("reads only"))
            .pivot(steps.external(RECEIPT, ctx -> "receipt of " + ctx.data().id()))
            .build();

    private final InMemorySagas sagas =
            InMemorySagas.builder().register(definition).build();

    @Test
    void a_saga_runs_when_time_is_given_and_is_read_by_its_trace() {
        SagaHandle handle = sagas.start(TYPE, "order-42", ORDER);
        assertThat(handle.await(Duration.ZERO)).isEmpty();
        assertThat(sagas.trace(handle)).isEmpty();

        sagas.advance(Duration.ZERO);

        assertThat(handle.await(Duration.ZERO).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
        assertThat(sagas.trace(handle)).containsExactly("check", "pay");
    }

    @Test
    void run_is_start_and_wait() {
        var outcome = sagas.run(TYPE, "order-42", ORDER, Duration.ZERO).orElseThrow();

        assertThat(outcome.result(RECEIPT)).isEqualTo("receipt of 42");
    }

    @Test
    void a_saga_started_again_is_the_same_one() {
        SagaHandle first = sagas.start(TYPE, "order-42", ORDER);
        SagaHandle second = sagas.start(TYPE, "order-42", new Order("42", ORDER.anything()));
        sagas.advance(Duration.ZERO);

        assertThat(second.sagaId())
                .isEqualTo(first.sagaId())
                .isEqualTo(sagas.handle(TYPE, "order-42").sagaId());
        assertThat(calls).containsExactly("check");
        assertThat(sagas.handle(first.sagaId()).snapshot().orElseThrow().businessKey())
                .isEqualTo("order-42");
    }

    @Test
    void a_key_taken_by_other_data_is_refused() {
        sagas.start(TYPE, "order-42", ORDER);

        assertCoded(
                SagaConflictException.class,
                SagaError.KEY_CONFLICT,
                () -> sagas.start(TYPE, "order-42", new Order("43", "other")));
    }

    @Test
    void what_is_not_there_is_answered_as_such() {
        SagaHandle nobody = sagas.handle(UUID.randomUUID());

        assertThat(nobody.snapshot()).isEmpty();
        assertThat(nobody.await(Duration.ofDays(1))).isEmpty();
        assertThat(nobody.cancel("no reason")).isEqualTo(Verdict.NOT_FOUND);
        assertThat(sagas.trace(nobody)).isEmpty();
    }

    @Test
    @SuppressWarnings("NullAway") // null is what is tried
    void a_call_that_cannot_be_answered_is_refused() {
        SagaHandle handle = sagas.handle(TYPE, "order-42");
        assertMisuse(SagaError.UNKNOWN_TYPE, () -> sagas.start(SagaType.of("other", 1, Order.class), "1", ORDER));
        assertMisuse(SagaError.UNKNOWN_TYPE, () -> sagas.start(SagaType.of("order", 2, Order.class), "1", ORDER));
        assertMisuse(SagaError.INVALID_BUSINESS_KEY, () -> sagas.start(TYPE, " ", ORDER));
        assertMisuse(SagaError.INVALID_BUSINESS_KEY, () -> sagas.handle(TYPE, "a\u0000"));
        assertMisuse(SagaError.NULL_ARGUMENT, () -> sagas.start(null, "1", ORDER));
        assertMisuse(SagaError.NULL_ARGUMENT, () -> sagas.start(TYPE, null, ORDER));
        assertMisuse(SagaError.NULL_ARGUMENT, () -> sagas.start(TYPE, "1", null));
        assertMisuse(SagaError.NULL_ARGUMENT, () -> sagas.handle(null, "1"));
        assertMisuse(SagaError.NULL_ARGUMENT, () -> sagas.handle((UUID) null));
        assertMisuse(SagaError.NULL_ARGUMENT, () -> sagas.advance(null));
        assertMisuse(SagaError.INVALID_DURATION, () -> sagas.advance(Duration.ofMillis(-1)));
        assertMisuse(SagaError.INVALID_DURATION, () -> sagas.advance(Duration.ofSeconds(Long.MAX_VALUE)));
        assertMisuse(SagaError.NULL_ARGUMENT, () -> handle.await(null));
        assertMisuse(SagaError.INVALID_DURATION, () -> handle.await(Duration.ofMillis(-1)));
        assertMisuse(SagaError.INVALID_DURATION, () -> handle.await(Duration.ofSeconds(Long.MAX_VALUE)));
        assertMisuse(SagaError.NULL_ARGUMENT, () -> handle.cancel(null));
        assertMisuse(SagaError.INVALID_LIMIT, () -> handle.cancel(""));
        assertMisuse(SagaError.INVALID_LIMIT, () -> handle.cancel("x".repeat(501)));
        assertThat(calls).isEmpty();
    }

    @Test
    void closed_sagas_run_nothing_any_more() {
        SagaHandle handle = sagas.start(TYPE, "order-42", ORDER);
        sagas.close();
        sagas.close();

        assertMisuse(SagaError.CLOSED, () -> sagas.start(TYPE, "order-43", ORDER));
        assertMisuse(SagaError.CLOSED, () -> sagas.advance(Duration.ZERO));
        assertMisuse(SagaError.CLOSED, () -> handle.await(Duration.ofDays(1)));
        assertThat(handle.snapshot()).isPresent();
        assertThat(calls).isEmpty();
    }

    @Test
    void more_sagas_than_slots_run_all_the_same() {
        for (int i = 0; i < 2500; i++) {
            sagas.start(TYPE, "order-" + i, ORDER);
        }
        sagas.advance(Duration.ZERO);

        assertThat(calls).hasSize(2500);
        assertThat(sagas.handle(TYPE, "order-2499").snapshot().orElseThrow().state())
                .isEqualTo(SagaState.COMPLETED);
    }

    @Test
    void a_saga_may_be_started_by_a_step() {
        SagaType<Order> outer = SagaType.of("outer", 1, Order.class);
        List<InMemorySagas> self = new ArrayList<>();
        self.add(InMemorySagas.builder()
                .register(definition)
                .register(SagaDefinition.builder(outer)
                        .step(steps.external("start", ctx -> self.get(0).start(TYPE, "inner", ctx.data()))
                                .noCompensation("ends by itself"))
                        .build())
                .build());

        self.get(0).run(outer, "outer", ORDER, Duration.ofMinutes(1));
        self.get(0).advance(Duration.ZERO);

        assertThat(self.get(0).handle(TYPE, "inner").await(Duration.ZERO)).isPresent();
    }

    @Test
    void waiting_lets_only_as_much_time_pass_as_is_needed() {
        List<Integer> attempts = new ArrayList<>();
        SagaType<Order> type = SagaType.of("slow", 1, Order.class);
        InMemorySagas slow = InMemorySagas.builder()
                .register(SagaDefinition.builder(type)
                        .pivot(steps.external("pay", ctx -> {
                                    attempts.add(ctx.attempt());
                                    if (ctx.attempt() < 3) {
                                        throw new IllegalStateException("not yet");
                                    }
                                })
                                .retry(RetryPolicy.fixed(Duration.ofHours(1))))
                        .build())
                .build();
        SagaHandle handle = slow.start(type, "1", ORDER);

        assertThat(handle.await(Duration.ofMinutes(90))).isEmpty();
        assertThat(attempts).containsExactly(1, 2);
        assertThat(handle.await(Duration.ofDays(300))).isPresent();
        var snapshot = handle.snapshot().orElseThrow();
        SagaHandle next = slow.start(type, "2", ORDER);
        assertThat(Duration.between(
                        snapshot.createdAt(), next.snapshot().orElseThrow().createdAt()))
                .isEqualTo(Duration.ofHours(2));
    }

    @Test
    void another_codec_is_used_for_data_and_results() {
        SagaType<String> type = SagaType.of("text", 1, String.class);
        List<String> written = new ArrayList<>();
        PayloadCodec codec = new PayloadCodec() {
            @Override
            public String encode(Object value) {
                written.add(value.toString());
                return "\"" + value + "\"";
            }

            @Override
            public <T> T decode(String json, Class<T> type) {
                return type.cast(json.substring(1, json.length() - 1));
            }

            @Override
            public String canonical(Object value) {
                return value.toString();
            }
        };
        InMemorySagas texts = InMemorySagas.builder()
                .codec(codec)
                .register(SagaDefinition.builder(type)
                        .pivot(Steps.of(String.class).external(RECEIPT, ctx -> "receipt of " + ctx.data()))
                        .build())
                .build();

        var outcome = texts.run(type, "1", "data", Duration.ZERO).orElseThrow();

        assertThat(outcome.findResult(RECEIPT)).isEqualTo(Optional.of("receipt of data"));
        assertThat(written).containsExactly("data", "receipt of data");
    }

    @Test
    @SuppressWarnings("NullAway") // null is what is tried
    void the_builder_refuses_where_it_is_told() {
        InMemorySagas.Builder builder = InMemorySagas.builder().register(definition);
        assertRefused(SagaError.DUPLICATE_DEFINITION, () -> builder.register(definition))
                .hasMessageContaining("order v1");
        assertRefused(SagaError.NULL_ARGUMENT, () -> builder.register(null));
        assertRefused(SagaError.NULL_ARGUMENT, () -> builder.listener(null));
        assertRefused(SagaError.NULL_ARGUMENT, () -> builder.codec(null));
        assertRefused(SagaError.NULL_ARGUMENT, () -> builder.stub(null));
        assertRefused(SagaError.INVALID_NAME, () -> builder.stub("a b"));
        assertRefused(SagaError.NULL_ARGUMENT, () -> builder.stub(null, "x"));
        assertRefused(SagaError.NULL_ARGUMENT, () -> builder.stub(RECEIPT, null));
        assertRefused(SagaError.NULL_ARGUMENT, () -> builder.fail(null, new Exception("x")));
        assertRefused(SagaError.NULL_ARGUMENT, () -> builder.fail("pay", null));
        assertRefused(
                SagaError.FOREIGN_STEP,
                () -> builder.register(new SagaDefinition<Order>() {
                    @Override
                    public SagaType<Order> type() {
                        return TYPE;
                    }

                    @Override
                    public String hash() {
                        return "0".repeat(32);
                    }
                }));
    }
}
