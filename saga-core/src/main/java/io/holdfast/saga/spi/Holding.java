package io.holdfast.saga.spi;

import java.util.UUID;

/**
 * Business rows that a saga holds, as its journal says.
 *
 * @param sagaId the holder
 * @param receipt the result of the step that took them, JSON; only the tool that wrote it reads it
 */
public record Holding(UUID sagaId, String receipt) {}
