package io.holdfast.saga.memory;

import static io.holdfast.saga.Refusals.assertMisuse;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.StepRejectedException;
import io.holdfast.saga.Steps;
import io.holdfast.saga.internal.Compensatable;
import io.holdfast.saga.internal.FakeLock;
import io.holdfast.saga.internal.StepSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Steps on a database, without one. */
class StubsTest {
    private static final SagaType<String> TYPE = SagaType.of("order", 1, String.class);
    private static final StepKey<Integer> COUNT = StepKey.of("count", Integer.class);

    private final Steps<String> steps = Steps.of(String.class);
    private final FakeLock lock = new FakeLock("orders");
    private final List<String> calls = new ArrayList<>();

    private SagaDefinition<String> definition(CompensatableStep<String> local) {
        return SagaDefinition.builder(TYPE)
                .step(lock.claim("claim"))
                .step(local)
                .step(steps.external("ask", ctx -> calls.add("ask"))
                        .compensatedBy((ctx, known) -> calls.add("undo ask")))
                .pivot(steps.external("pay", ctx -> calls.add("pay")))
                .then(lock.release("release"))
                .build();
    }

    /** A local step as another module makes it: action and undo need a database. */
    private CompensatableStep<String> local(String name, @Nullable Class<?> result) {
        StepSpec<String> spec = StepSpec.<String>local(name, result, (ctx, tx) -> {
                    throw new AssertionError("there is no database");
                })
                .undoing(new StepSpec.ByKey<>((ctx, tx, known) -> {
                    throw new AssertionError("there is no database");
                }));
        return new Compensatable<>(spec);
    }

    private InMemorySagas.Builder builder(CompensatableStep<String> local) {
        return InMemorySagas.builder().register(definition(local));
    }

    @Test
    void locks_succeed_and_stubbed_local_steps_do_nothing() {
        InMemorySagas sagas = builder(local("count", null)).stub("count").build();
        SagaHandle handle = sagas.start(TYPE, "1", "data");
        sagas.advance(Duration.ZERO);

        assertThat(handle.snapshot().orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
        assertThat(sagas.trace(handle)).containsExactly("claim", "count", "ask", "pay", "release");
        assertThat(calls).containsExactly("ask", "pay");
    }

    @Test
    void a_stub_with_a_key_returns_its_result() {
        InMemorySagas sagas =
                builder(local("count", Integer.class)).stub(COUNT, 7).build();

        assertThat(sagas.run(TYPE, "1", "data", Duration.ZERO).orElseThrow().result(COUNT))
                .isEqualTo(7);
    }

    @Test
    void local_steps_are_undone_without_a_database_and_external_ones_as_they_are_written() {
        InMemorySagas sagas = builder(local("count", null))
                .stub("count")
                .fail("pay", new StepRejectedException("declined"))
                .build();
        SagaHandle handle = sagas.start(TYPE, "1", "data");
        sagas.advance(Duration.ZERO);

        assertThat(handle.snapshot().orElseThrow().state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(sagas.trace(handle))
                .containsExactly("claim", "count", "ask", "undo ask", "undo count", "undo claim");
        assertThat(calls).containsExactly("ask", "undo ask");
    }

    @Test
    void a_lock_can_be_made_to_fail() {
        InMemorySagas sagas = builder(local("count", null))
                .stub("count")
                .fail("claim", new StepRejectedException("busy"))
                .build();
        SagaHandle handle = sagas.start(TYPE, "1", "data");
        sagas.advance(Duration.ZERO);

        assertThat(handle.snapshot().orElseThrow().state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(sagas.trace(handle)).isEmpty();
    }

    @Test
    void a_failure_is_tried_again_as_any_other() {
        InMemorySagas sagas = InMemorySagas.builder()
                .register(SagaDefinition.builder(TYPE)
                        .step(local("count", null)
                                .retry(RetryPolicy.fixed(Duration.ofHours(1)).maxAttempts(3)))
                        .build())
                .fail("count", new IllegalStateException("not today"))
                .build();
        SagaHandle handle = sagas.start(TYPE, "1", "data");

        sagas.advance(Duration.ofHours(1));
        assertThat(handle.snapshot().orElseThrow().attempts()).isEqualTo(2);
        sagas.advance(Duration.ofHours(1));
        assertThat(handle.snapshot().orElseThrow().state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(sagas.trace(handle))
                .as("a local step that failed left nothing")
                .isEmpty();
    }

    @Test
    void an_external_step_can_be_stubbed_too_and_is_undone_as_it_is_written() {
        InMemorySagas sagas = builder(local("count", null))
                .stub("count")
                .stub("ask")
                .fail("pay", new StepRejectedException("declined"))
                .build();
        sagas.run(TYPE, "1", "data", Duration.ZERO);

        assertThat(calls).containsExactly("undo ask");
    }

    @Test
    void a_local_step_without_a_stub_is_named() {
        assertMisuse(SagaError.STUB_MISSING, () -> builder(local("count", null)).build())
                .hasMessageContaining("\"count\" of order v1");
    }

    @Test
    void a_stub_of_the_wrong_result_is_as_good_as_none() {
        assertMisuse(
                        SagaError.STUB_MISSING,
                        () -> builder(local("count", Integer.class))
                                .stub("count")
                                .build())
                .hasMessageContaining("java.lang.Integer");
        assertMisuse(
                        SagaError.STUB_MISSING,
                        () -> builder(local("count", null)).stub(COUNT, 7).build())
                .hasMessageContaining("nothing");
        assertMisuse(
                SagaError.STUB_MISSING,
                () -> builder(local("count", Integer.class))
                        .stub(StepKey.of("count", Long.class), 7L)
                        .build());
    }

    @Test
    void a_stub_of_no_step_is_refused() {
        assertMisuse(
                        SagaError.STUB_WITHOUT_STEP,
                        () -> builder(local("count", null))
                                .stub("count")
                                .stub("cuont")
                                .build())
                .hasMessageContaining("cuont");
    }
}
