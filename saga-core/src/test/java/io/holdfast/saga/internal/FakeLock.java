package io.holdfast.saga.internal;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.RetriableStep;
import io.holdfast.saga.internal.StepSpec.ByKey;
import io.holdfast.saga.internal.StepSpec.Role;
import io.holdfast.saga.internal.StepSpec.Use;
import io.holdfast.saga.spi.Holding;
import io.holdfast.saga.spi.StoreTransaction;
import java.time.Duration;

/** A lock of no rows: what the rules and the engine see of one. */
public final class FakeLock implements Hold {
    private final String table;
    private boolean takenOver;

    /** A lock on a table of that name. */
    public FakeLock(String table) {
        this.table = table;
    }

    /** Others may take its rows once they are past their deadline. */
    public FakeLock takenOver() {
        takenOver = true;
        return this;
    }

    /** The step that takes the rows. */
    public CompensatableStep<String> claim(String name) {
        StepSpec<String> spec = StepSpec.<String>local(name, Receipt.class, (ctx, tx) -> new Receipt("{}"))
                .undoing(new ByKey<>((ctx, tx, known) -> {}));
        return new Compensatable<>(spec.uses(new Use(this, Role.CLAIM)).offline((ctx, tx) -> new Receipt("{}")));
    }

    /** The step that gives them back. */
    public RetriableStep<String> release(String name) {
        StepSpec<String> spec = StepSpec.local(name, null, (ctx, tx) -> null);
        return new Retriable<>(spec.uses(new Use(this, Role.RELEASE)).offline((ctx, tx) -> null));
    }

    @Override
    public Object token() {
        return this;
    }

    @Override
    public String table() {
        return table;
    }

    @Override
    public boolean mayBeTakenOver() {
        return takenOver;
    }

    @Override
    public void assertHeld(StoreTransaction transaction, Holding holding) {}

    @Override
    public void extend(StoreTransaction transaction, Holding holding, Duration atLeast) {}
}
