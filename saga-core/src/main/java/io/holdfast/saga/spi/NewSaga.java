package io.holdfast.saga.spi;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A saga to be stored.
 *
 * @param sagaId derived from type name and business key
 * @param definition what it is started with
 * @param businessKey its key
 * @param identity the fingerprint of what makes two starts the same
 * @param incarnation random; idempotency keys are built from it
 * @param data its data, JSON
 * @param firstStep the step that becomes current
 * @param deadline how long until it turns back, or null
 */
public record NewSaga(
        UUID sagaId,
        DefinitionRef definition,
        String businessKey,
        String identity,
        UUID incarnation,
        String data,
        String firstStep,
        @Nullable Duration deadline) {}
