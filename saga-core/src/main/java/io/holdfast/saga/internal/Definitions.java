package io.holdfast.saga.internal;

import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.spi.DefinitionRef;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What this node can drive. Immutable, but for whose turn it is. */
final class Definitions {
    private final Map<SagaType<?>, Definition<?>> byType = new LinkedHashMap<>();
    private final List<DefinitionRef> refs;
    private final AtomicInteger turn = new AtomicInteger();

    Definitions(List<? extends SagaDefinition<?>> registered) {
        for (SagaDefinition<?> one : registered) {
            if (!(one instanceof Definition<?> definition)) {
                throw new SagaDefinitionException(
                        SagaError.FOREIGN_STEP,
                        "a definition of " + one.getClass().getName() + " was not made by the library");
            }
            if (byType.put(definition.type(), definition) != null) {
                throw new SagaDefinitionException(
                        SagaError.DUPLICATE_DEFINITION, definition.type() + " is registered twice");
            }
        }
        this.refs = byType.values().stream().map(Definition::ref).toList();
    }

    /** What can be claimed, each time beginning with another one. */
    List<DefinitionRef> byTurns() {
        List<DefinitionRef> rotated = new ArrayList<>(refs);
        if (!rotated.isEmpty()) {
            Collections.rotate(rotated, Math.floorMod(turn.getAndIncrement(), rotated.size()));
        }
        return rotated;
    }

    /** The definition a stored saga was started with; null when this node has another one, or none. */
    @Nullable
    Definition<?> find(DefinitionRef ref) {
        return byType.values().stream()
                .filter(one -> one.ref().equals(ref))
                .findFirst()
                .orElse(null);
    }

    @SuppressWarnings("unchecked") // equal types have the same class of data, or are refused here
    <D> Definition<D> get(SagaType<D> type) {
        Definition<?> found = byType.get(Checks.argument("type", type));
        if (found == null || found.type().dataClass() != type.dataClass()) {
            throw new SagaUsageException(
                    SagaError.UNKNOWN_TYPE,
                    type + " with data of " + type.dataClass().getName() + " is not registered with this engine");
        }
        return (Definition<D>) found;
    }
}
