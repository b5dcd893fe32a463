package io.holdfast.saga.spi;

import io.holdfast.saga.SagaState;
import java.util.UUID;

/**
 * What must still be so for a change to happen (protocol: saga_id, run_seq, state, step and attempts). A change whose guard
 * matches no row affects nothing: somebody else was faster.
 *
 * @param sagaId the saga
 * @param runSeq the fencing number under which the caller drives it
 * @param state the state it was seen in
 * @param step the step it was seen at
 * @param attempts the attempts it was seen with
 */
public record Guard(UUID sagaId, long runSeq, SagaState state, String step, int attempts) {}
