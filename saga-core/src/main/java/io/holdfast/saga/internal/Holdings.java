package io.holdfast.saga.internal;

import io.holdfast.saga.internal.StepSpec.Role;
import io.holdfast.saga.internal.StepSpec.Use;
import io.holdfast.saga.spi.Holding;
import io.holdfast.saga.spi.StoreTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The rows a saga holds now: claimed, and neither released nor restored. */
record Holdings(List<Held> all) {
    /** One claim's rows. */
    record Held(Resource resource, Holding holding) {}

    static Holdings of(Definition<?> definition, Progress progress, UUID sagaId) {
        List<Held> held = new ArrayList<>();
        for (StepSpec<?> step : definition.steps()) {
            Use use = step.extras().use();
            String receipt = progress.doneResult(step.name());
            if (use == null || receipt == null || progress.isUndone(step.name())) {
                continue;
            }
            if (use.role() == Role.CLAIM) {
                held.add(new Held(use.resource(), new Holding(sagaId, receipt)));
            }
        }
        for (StepSpec<?> step : definition.steps()) {
            Use use = step.extras().use();
            if (use != null && use.role() == Role.RELEASE && progress.isDone(step.name())) {
                held.removeIf(one -> one.resource().token() == use.resource().token());
            }
        }
        return new Holdings(List.copyOf(held));
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** At the pivot: all must be held. */
    void assertAll(StoreTransaction transaction) {
        all.forEach(one -> one.resource().assertHeld(transaction, one.holding()));
    }

    /**
     * Elsewhere: what other sagas may have taken must be held by whoever relies on it. A step that takes rows, gives them back or
     * restores them says itself what a lost row means.
     */
    void assertTakeableFor(StepSpec<?> step, StoreTransaction transaction) {
        if (step.extras().use() != null) {
            return;
        }
        all.stream()
                .filter(one -> one.resource().mayBeTakenOver())
                .forEach(one -> one.resource().assertHeld(transaction, one.holding()));
    }

    /** So that the deadlines outlast a pause. */
    void extendAll(StoreTransaction transaction, Duration atLeast) {
        all.forEach(one -> one.resource().extend(transaction, one.holding(), atLeast));
    }

    List<Holding> holdings() {
        return all.stream().map(Held::holding).toList();
    }
}
