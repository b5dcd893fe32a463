package io.holdfast.saga.memory;

import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaOutcome;
import io.holdfast.saga.SagaSnapshot;
import io.holdfast.saga.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** A handle for which waiting means that virtual time passes. */
record VirtualHandle(VirtualSagas sagas, SagaHandle engines) implements SagaHandle {
    @Override
    public UUID sagaId() {
        return engines.sagaId();
    }

    @Override
    public Optional<SagaSnapshot> snapshot() {
        return engines.snapshot();
    }

    @Override
    public Verdict cancel(String reason) {
        return engines.cancel(reason);
    }

    @Override
    public Optional<SagaOutcome> await(Duration atMost) {
        Optional<SagaOutcome> outcome = look(atMost);
        if (outcome.isPresent() || atMost.isZero()) {
            return outcome;
        }
        Instant until = sagas.now().plus(atMost);
        boolean goesOn = true;
        while (goesOn && outcome.isEmpty()) {
            goesOn = sagas.goOn(until);
            outcome = engines.await(Duration.ZERO);
        }
        return outcome;
    }

    /** The engine's handle checks the time; it is not let wait, because its time would stand still. */
    private Optional<SagaOutcome> look(Duration atMost) {
        boolean valid = atMost != null && !atMost.isNegative() && atMost.compareTo(Duration.ofDays(365)) <= 0;
        return engines.await(valid ? Duration.ZERO : atMost);
    }
}
