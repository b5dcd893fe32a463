package io.holdfast.saga.jdbc.barrier;

import io.holdfast.saga.Direction;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.internal.Checks;
import io.holdfast.saga.internal.Texts;
import java.util.UUID;

/**
 * Which call of a saga has arrived: an action or its undo, and how the two are known to belong together. Made by {@link #action} and
 * {@link #compensation}, or by {@link #of}. What they are given comes from outside, so it is checked here. Immutable and threadsafe.
 *
 * <p>The key of the action ({@link io.holdfast.saga.StepContext#actionKey()}) is the better identity. It is sent with every call anyway, as
 * the idempotency key. And it differs between the lives of a saga: the id of a saga follows from its type and business key, so a saga that is
 * started again after its rows were purged has the id of the former one, and by id and step its first action would be taken for the
 * former one's: replayed, or refused as too late. Its keys are new. Identity by id and step is for callers that send nothing else, and safe
 * if business keys are never used again while the barrier remembers.
 *
 * @param action the key of the action, or the saga's id: 1 to 200 characters, not blank
 * @param step empty where the action is known by its key
 * @param direction FORWARD for the action, BACKWARD for its undo
 */
public record BarrierCall(String action, String step, Direction direction) {
    private static final int LONGEST_KEY = 200;

    /**
     * Checks all three; the factory methods are easier to read.
     *
     * @param action the key of the action, or the saga's id: 1 to 200 characters, not blank
     * @param step empty where the action is known by its key, else 1 to 100 letters, digits, dots, dashes and underscores
     * @param direction FORWARD for the action, BACKWARD for its undo
     * @throws SagaUsageException when one is null (SAGA-106), or the key is blank, longer than 200 characters, or holds a NUL or an unpaired
     *     surrogate (SAGA-213)
     * @throws SagaDefinitionException when the step is neither empty nor a valid name (SAGA-101)
     */
    public BarrierCall {
        Checks.argument("action key", action);
        if (action.isBlank() || action.length() > LONGEST_KEY || !Texts.isStorable(action)) {
            throw new SagaUsageException(
                    SagaError.INVALID_ACTION_KEY,
                    "action key \"" + Texts.printable(action) + "\" is refused: 1 to " + LONGEST_KEY
                            + " characters, not blank, without NUL and unpaired surrogates");
        }
        if (!Checks.argument("step", step).isEmpty()) {
            Checks.name("step", step);
        }
        Checks.argument("direction", direction);
    }

    /**
     * An action, known by its key.
     *
     * @param key the idempotency key that came with it
     * @return the call
     * @throws SagaUsageException when the key is null (SAGA-106) or not valid (SAGA-213)
     */
    public static BarrierCall action(String key) {
        return new BarrierCall(key, "", Direction.FORWARD);
    }

    /**
     * An undo, known by the key of the action it undoes: the caller sends it besides the undo's own key, see
     * {@link io.holdfast.saga.StepContext#actionKey()}.
     *
     * @param actionKey the idempotency key of the action, not of the undo
     * @return the call
     * @throws SagaUsageException when the key is null (SAGA-106) or not valid (SAGA-213)
     */
    public static BarrierCall compensation(String actionKey) {
        return new BarrierCall(actionKey, "", Direction.BACKWARD);
    }

    /**
     * A call known by saga and step. Prefer {@link #action} and {@link #compensation}: a saga that is started again has the same id.
     *
     * @param sagaId the saga
     * @param step the step's name
     * @param direction FORWARD for the action, BACKWARD for its undo
     * @return the call
     * @throws SagaUsageException when an argument is null (SAGA-106)
     * @throws SagaDefinitionException when the step's name is not valid (SAGA-101)
     */
    public static BarrierCall of(UUID sagaId, String step, Direction direction) {
        Checks.name("step", Checks.argument("step", step));
        return new BarrierCall(Checks.argument("saga id", sagaId).toString(), step, direction);
    }
}
