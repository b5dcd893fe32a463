package io.holdfast.saga.jdbc.testing;

import java.util.UUID;

/** One real execution of a step's code; what a test does not care for is null. */
public record Effect(UUID sagaId, String step, String phase, Long runSeq, String worker, String idempotencyKey) {

    /** The phase of a step's action. */
    public static final String ACTION = "action";

    /** The phase of a step's compensation. */
    public static final String COMPENSATION = "compensation";

    /** A step's action for a saga, by whomever. */
    public static Effect action(UUID sagaId, String step) {
        return new Effect(sagaId, step, ACTION, null, null, null);
    }

    /** A step's compensation for a saga, by whomever. */
    public static Effect compensation(UUID sagaId, String step) {
        return new Effect(sagaId, step, COMPENSATION, null, null, null);
    }

    /** The same, run under a fencing number by a worker. */
    public Effect by(String itsWorker, long itsRunSeq) {
        return new Effect(sagaId, step, phase, itsRunSeq, itsWorker, idempotencyKey);
    }

    /** The same, presented with an idempotency key. */
    public Effect withKey(String key) {
        return new Effect(sagaId, step, phase, runSeq, worker, key);
    }
}
