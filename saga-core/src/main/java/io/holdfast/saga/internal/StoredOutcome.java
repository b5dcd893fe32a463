package io.holdfast.saga.internal;

import io.holdfast.saga.JournalEntry;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaOutcome;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.StepKey;
import java.util.Optional;

/** How a saga ended, from its row and journal. */
record StoredOutcome(SagaState state, Progress progress, Payloads payloads) implements SagaOutcome {
    @Override
    public <R> R result(StepKey<R> key) {
        return findResult(key)
                .orElseThrow(() -> new SagaUsageException(
                        SagaError.NO_SUCH_RESULT,
                        "step \"" + key.name() + "\" has no result: it was skipped, has not run, or returns none"));
    }

    @Override
    public <R> Optional<R> findResult(StepKey<R> key) {
        Checks.argument("step key", key);
        String json = progress.doneResult(key.name());
        return json == null
                ? Optional.empty()
                : Optional.of(payloads.decode("result of step \"" + key.name() + "\"", json, key.resultClass()));
    }

    @Override
    public Optional<JournalEntry> failure() {
        return Optional.ofNullable(progress.failure());
    }
}
