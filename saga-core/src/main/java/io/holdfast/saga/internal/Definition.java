package io.holdfast.saga.internal;

import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.spi.DefinitionRef;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A checked list of steps, with the place of its pivot. Immutable. */
public final class Definition<D> implements SagaDefinition<D> {
    /** No step is the pivot. */
    static final int NO_PIVOT = -1;

    private final SagaType<D> type;
    private final List<StepSpec<D>> steps;
    private final int pivot;
    private final List<String> revalidated;
    private final @Nullable Duration deadline;
    private final Map<String, Integer> places = new HashMap<>();
    private final DefinitionRef ref;

    Definition(
            SagaType<D> type,
            List<StepSpec<D>> steps,
            int pivot,
            List<String> revalidated,
            @Nullable Duration deadline) {
        this.type = type;
        this.steps = List.copyOf(steps);
        this.pivot = pivot;
        this.revalidated = List.copyOf(revalidated);
        this.deadline = deadline;
        for (int i = 0; i < steps.size(); i++) {
            places.put(steps.get(i).name(), i);
        }
        this.ref = new DefinitionRef(type.name(), type.version(), DefinitionHash.of(this));
    }

    @Override
    public SagaType<D> type() {
        return type;
    }

    @Override
    public String hash() {
        return ref.hash();
    }

    /** What is stored of it with every saga. */
    public DefinitionRef ref() {
        return ref;
    }

    /** Its steps in order. */
    public List<StepSpec<D>> steps() {
        return steps;
    }

    /** The place of the pivot, or {@link #NO_PIVOT}. */
    int pivot() {
        return pivot;
    }

    /** The steps whose results are read again at the pivot. */
    List<String> revalidated() {
        return revalidated;
    }

    @Nullable
    Duration deadline() {
        return deadline;
    }

    StepSpec<D> step(String name) {
        return steps.get(place(name));
    }

    int place(String name) {
        Integer place = places.get(name);
        if (place == null) {
            throw new IllegalStateException("no step " + name + " in " + type);
        }
        return place;
    }

    boolean isPivot(StepSpec<D> step) {
        return pivot != NO_PIVOT && steps.get(pivot).name().equals(step.name());
    }

    @Override
    public String toString() {
        return "definition of " + type + " (" + ref.hash() + ")";
    }
}
