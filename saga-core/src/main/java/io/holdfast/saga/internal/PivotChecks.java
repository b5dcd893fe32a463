package io.holdfast.saga.internal;

import io.holdfast.saga.RevalidationException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.spi.StoreTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * What must hold in the transaction that begins the pivot, or passes it: everything held is held still, and lasts from there on; and
 * what was read before is read again, under locks, and is the same.
 */
final class PivotChecks<D> {
    private final Holdings holdings;
    private final Progress progress;
    private final List<StepSpec<D>> reads;

    PivotChecks(Definition<D> definition, Progress progress, UUID sagaId) {
        this.holdings = Holdings.of(definition, progress, sagaId);
        this.progress = progress;
        this.reads = definition.revalidated().stream()
                .map(definition::step)
                .filter(step -> progress.isDone(step.name()))
                .toList();
    }

    boolean isEmpty() {
        return holdings.isEmpty() && reads.isEmpty();
    }

    /** Whether code of the application is called. */
    boolean areReading() {
        return !reads.isEmpty();
    }

    /** All but the reads. */
    void assertHeld(StoreTransaction transaction) {
        holdings.assertAll(transaction);
    }

    void run(EngineContext<D> ctx, StoreTransaction transaction) throws Exception {
        assertHeld(transaction);
        List<String> differences = new ArrayList<>();
        for (StepSpec<D> read : reads) {
            Reread<D> reread = read.extras().reread();
            String remembered = progress.doneResult(read.name());
            if (reread != null && remembered != null) {
                reread.differences(ctx, transaction, remembered)
                        .forEach(difference -> differences.add("\"" + read.name() + "\" " + difference));
            }
        }
        if (!differences.isEmpty()) {
            throw new RevalidationException(
                    SagaError.READ_CHANGED,
                    "what the saga had read has changed since: " + String.join("; ", differences)
                            + ". The pivot is not begun, and the saga turns back",
                    differences);
        }
    }
}
