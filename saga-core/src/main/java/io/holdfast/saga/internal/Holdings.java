package io.holdfast.saga.internal;

import io.holdfast.saga.internal.StepSpec.Role;
import io.holdfast.saga.internal.StepSpec.Use;
import io.holdfast.saga.spi.Holding;
import io.holdfast.saga.spi.StoreTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What a saga holds now: claimed or reserved, and neither released nor restored. */
record Holdings(List<Held> all) {
    /** What one step took. */
    record Held(Hold hold, Holding holding) {}

    static Holdings of(Definition<?> definition, Progress progress, UUID sagaId) {
        List<Held> held = new ArrayList<>();
        for (StepSpec<?> step : definition.steps()) {
            Use use = step.extras().use();
            String receipt = progress.doneResult(step.name());
            if (use == null || receipt == null || progress.isUndone(step.name())) {
                continue;
            }
            if (use.role() == Role.CLAIM) {
                held.add(new Held(use.hold(), new Holding(sagaId, receipt)));
            }
        }
        for (StepSpec<?> step : definition.steps()) {
            Use use = step.extras().use();
            if (use != null && use.role() == Role.RELEASE && progress.isDone(step.name())) {
                held.removeIf(one -> one.hold().token() == use.resource().token());
            }
        }
        return new Holdings(List.copyOf(held));
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** At the pivot: all must be held. */
    void assertAll(StoreTransaction transaction) {
        all.forEach(one -> one.hold().assertHeld(transaction, one.holding()));
    }

    /**
     * Elsewhere: what other sagas may have taken must be held by whoever relies on it. A step that takes rows, gives them back or
     * restores them says itself what a lost row means.
     */
    void assertTakeableFor(StepSpec<?> step, StoreTransaction transaction) {
        if (step.extras().isHolding()) {
            return;
        }
        all.stream()
                .filter(one -> one.hold().mayBeTakenOver())
                .forEach(one -> one.hold().assertHeld(transaction, one.holding()));
    }

    /** So that the deadlines outlast a pause. */
    void extendAll(StoreTransaction transaction, Duration atLeast) {
        all.forEach(one -> one.hold().extend(transaction, one.holding(), atLeast));
    }

    /** Those whose deadlines are renewed. */
    List<Holding> renewed() {
        return all.stream()
                .filter(one -> one.hold().isRenewed())
                .map(Held::holding)
                .toList();
    }
}
