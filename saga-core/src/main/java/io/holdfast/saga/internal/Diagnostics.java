package io.holdfast.saga.internal;

import io.holdfast.saga.SagaSnapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** saga.id, saga.type and saga.step in the logging context of every call of user code: a documented promise. */
final class Diagnostics implements AutoCloseable {
    private static final List<String> KEYS = List.of("saga.id", "saga.type", "saga.step");

    private final @Nullable String[] before = new @Nullable String[KEYS.size()];

    private Diagnostics() {
        for (int i = 0; i < before.length; i++) {
            before[i] = MDC.get(KEYS.get(i));
        }
    }

    static Diagnostics of(SagaSnapshot saga, String step) {
        Diagnostics diagnostics = new Diagnostics();
        MDC.put("saga.id", saga.sagaId().toString());
        MDC.put("saga.type", saga.typeName());
        MDC.put("saga.step", step);
        return diagnostics;
    }

    @Override
    public void close() {
        for (int i = 0; i < before.length; i++) {
            String value = before[i];
            if (value == null) {
                MDC.remove(KEYS.get(i));
            } else {
                MDC.put(KEYS.get(i), value);
            }
        }
    }
}
