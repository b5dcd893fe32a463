package io.holdfast.saga.memory;

import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.internal.Definition;
import io.holdfast.saga.internal.Offline;
import io.holdfast.saga.internal.StepBody;
import io.holdfast.saga.internal.StepSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What stands in for the actions of steps, by name. */
final class Stubs {
    private final Map<String, Stub> byName = new HashMap<>();

    /** Returns a result, or nothing, or fails. */
    private record Stub(
            @Nullable Class<?> resultClass,
            @Nullable Object result,
            @Nullable Exception failure) {
        boolean fits(StepSpec<?> step) {
            return failure != null || resultClass == step.signature().resultClass();
        }

        <D> StepBody<D> body() {
            return (ctx, tx) -> {
                if (failure != null) {
                    throw failure;
                }
                return result;
            };
        }
    }

    void nothing(String step) {
        byName.put(step, new Stub(null, null, null));
    }

    <R> void result(StepKey<R> step, R result) {
        byName.put(step.name(), new Stub(step.resultClass(), result, null));
    }

    void failure(String step, Exception failure) {
        byName.put(step, new Stub(null, null, failure));
    }

    List<Definition<?>> applyTo(List<Definition<?>> definitions) {
        Set<String> unused = new HashSet<>(byName.keySet());
        definitions.forEach(definition -> definition.steps().forEach(step -> unused.remove(step.name())));
        if (!unused.isEmpty()) {
            throw new SagaUsageException(
                    SagaError.STUB_WITHOUT_STEP,
                    "stubs of " + unused + " are refused: no registered saga has such steps");
        }
        return definitions.stream().<Definition<?>>map(this::applyTo).toList();
    }

    private <D> Definition<D> applyTo(Definition<D> definition) {
        return Offline.of(definition, step -> body(definition, step));
    }

    private <D> StepBody<D> body(Definition<D> definition, StepSpec<D> step) {
        Stub stub = byName.get(step.name());
        if (stub != null && stub.fits(step)) {
            return stub.body();
        }
        StepBody<D> offline = step.extras().offline();
        if (stub == null && (offline != null || step.isExternal())) {
            return offline == null ? step.action() : offline;
        }
        Class<?> result = step.signature().resultClass();
        throw new SagaUsageException(
                SagaError.STUB_MISSING,
                "step \"" + step.name() + "\" of " + definition.type() + " needs a stub that returns "
                        + (result == null ? "nothing" : result.getName() + ", given with its StepKey"));
    }
}
