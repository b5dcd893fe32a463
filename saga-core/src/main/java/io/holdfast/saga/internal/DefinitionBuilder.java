package io.holdfast.saga.internal;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.ForwardBuilder;
import io.holdfast.saga.RetriableStep;
import io.holdfast.saga.SagaBuilder;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.StepKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects steps in order; {@link DefinitionRules} checks them together. Mutable, not threadsafe. */
public final class DefinitionBuilder<D> implements SagaBuilder<D>, ForwardBuilder<D> {
    private final SagaType<D> type;
    private final List<StepSpec<D>> steps = new ArrayList<>();
    private int pivot = Definition.NO_PIVOT;
    private final Set<String> revalidated = new LinkedHashSet<>();
    private @Nullable Duration deadline;

    /** A builder for a type. */
    public DefinitionBuilder(SagaType<D> type) {
        this.type = type;
    }

    @Override
    public SagaBuilder<D> deadline(Duration untilItTurnsBack) {
        deadline = Checks.duration("deadline", untilItTurnsBack, Duration.ofMillis(10), Duration.ofDays(365));
        return this;
    }

    @Override
    public SagaBuilder<D> step(CompensatableStep<D> step) {
        add(Checks.notNull("step", step));
        return this;
    }

    @Override
    public ForwardBuilder<D> pivot(RetriableStep<D> step) {
        add(Checks.notNull("pivot", step));
        pivot = steps.size() - 1;
        return this;
    }

    @Override
    public ForwardBuilder<D> then(RetriableStep<D> step) {
        add(Checks.notNull("step", step));
        return this;
    }

    @Override
    public ForwardBuilder<D> revalidating(StepKey<?>... reads) {
        for (StepKey<?> read : Checks.notNull("keys", reads)) {
            revalidated.add(Checks.notNull("key", read).name());
        }
        return this;
    }

    @SuppressWarnings("unchecked") // a step of D is backed by a spec of D
    private void add(Object step) {
        if (!(step instanceof SpecBacked<?> backed)) {
            throw new SagaDefinitionException(
                    SagaError.FOREIGN_STEP,
                    "step of " + step.getClass().getName() + " is refused: steps are made by the library's factories");
        }
        StepSpec<D> spec = (StepSpec<D>) backed.spec();
        if (steps.stream().anyMatch(other -> other.name().equals(spec.name()))) {
            throw new SagaDefinitionException(
                    SagaError.DUPLICATE_STEP,
                    "step \"" + spec.name() + "\" is refused: " + type + " has a step of that name already");
        }
        steps.add(spec);
    }

    @Override
    public SagaDefinition<D> build() {
        DefinitionRules.check(type, steps, pivot, List.copyOf(revalidated), deadline);
        return new Definition<>(type, steps, pivot, List.copyOf(revalidated), deadline);
    }
}
