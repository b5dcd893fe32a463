package io.holdfast.saga;

import java.io.Serial;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row is held by another saga. Nothing was claimed. By default the step fails at once and the saga turns back; a lock
 * that waits makes the saga try again, and such waits are not counted as attempts.
 */
public final class ConcurrentSagaException extends SagaException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Busy busy;

    /**
     * What is known of the holder at the moment of the refusal.
     *
     * @param row the table and id of the row, for people
     * @param holder the saga that holds the row
     * @param holderState its state and step, for people; "unknown" when its saga row is gone
     * @param lockedUntil the row's deadline, null when it has none
     * @param advice what the engine should do about it
     */
    public record Busy(
            String row,
            UUID holder,
            String holderState,
            @Nullable Instant lockedUntil,
            Advice advice) {}

    /** What the engine does about a busy row. */
    public enum Advice {
        /** Fail the step: the row's holder is alive and this lock does not wait. */
        FAIL,
        /** Try again later, within the lock's bound. */
        WAIT,
        /** The holder's lease is over: have it recovered, and try again shortly. */
        RECOVER_HOLDER
    }

    /**
     * For the library's own use.
     *
     * @param busy what is known, never null
     */
    public ConcurrentSagaException(Busy busy) {
        super(
                SagaError.ROW_BUSY,
                busy.row() + " is held by saga " + busy.holder() + " (" + busy.holderState() + "), until "
                        + busy.lockedUntil() + "; nothing was claimed",
                null);
        this.busy = busy;
    }

    /**
     * The saga that holds the row.
     *
     * @return its id
     */
    public UUID holder() {
        return busy.holder();
    }

    /**
     * The state and step of the holder, for people.
     *
     * @return as read when the row was refused
     */
    public String holderState() {
        return busy.holderState();
    }

    /**
     * Until when the row is locked; a deadline that passed does not by itself free the row.
     *
     * @return empty when the row has none
     */
    public Optional<Instant> lockedUntil() {
        return Optional.ofNullable(busy.lockedUntil());
    }

    /**
     * What the engine does about it.
     *
     * @return never null
     */
    public Advice advice() {
        return busy.advice();
    }
}
