package io.holdfast.saga.spi;

import io.holdfast.saga.Direction;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.SagaSnapshot;
import io.holdfast.saga.SagaState;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A saga's row as the engine needs it.
 *
 * @param origin what never changes
 * @param position where it stands
 * @param lease who drives it, and when it is due
 * @param error the last recorded error, or null
 * @param readAt the database's clock when the row was read
 */
public record StoredSaga(
        Origin origin,
        Position position,
        Lease lease,
        @Nullable String error,
        Instant readAt) implements SagaSnapshot {

    /**
     * What never changes.
     *
     * @param sagaId the saga's id
     * @param definition the definition it was started with
     * @param businessKey its key
     * @param identity the fingerprint of its identity
     * @param incarnation random, for idempotency keys
     * @param data its data, JSON
     * @param createdAt when it was stored
     * @param deadlineAt when it turns back, or null
     */
    public record Origin(
            UUID sagaId,
            DefinitionRef definition,
            String businessKey,
            String identity,
            UUID incarnation,
            String data,
            Instant createdAt,
            @Nullable Instant deadlineAt) {}

    /**
     * Where it stands.
     *
     * @param state its state
     * @param direction which way it goes
     * @param pivot how far the point of no return is
     * @param step the current step
     * @param attempts recorded outcomes of the current step that were not "done"
     * @param stepAt when the step became current
     */
    public record Position(
            SagaState state, Direction direction, Pivot pivot, String step, int attempts, Instant stepAt) {}

    /**
     * Who drives it.
     *
     * @param owner the node, or null
     * @param dueAt the end of the lease or the wake-up time, or null
     * @param runSeq the fencing number
     * @param takeovers leases expired since the last recorded outcome
     */
    public record Lease(@Nullable String owner, @Nullable Instant dueAt, long runSeq, int takeovers) {}

    /** {@return the guard of the next change: this saga exactly as it stands here} */
    public Guard guard() {
        return new Guard(origin.sagaId(), lease.runSeq(), position.state(), position.step(), position.attempts());
    }

    @Override
    public UUID sagaId() {
        return origin.sagaId();
    }

    @Override
    public String typeName() {
        return origin.definition().typeName();
    }

    @Override
    public int typeVersion() {
        return origin.definition().typeVersion();
    }

    @Override
    public String businessKey() {
        return origin.businessKey();
    }

    @Override
    public SagaState state() {
        return position.state();
    }

    @Override
    public Direction direction() {
        return position.direction();
    }

    @Override
    public Pivot pivot() {
        return position.pivot();
    }

    @Override
    public String step() {
        return position.step();
    }

    @Override
    public int attempts() {
        return position.attempts();
    }

    @Override
    public int takeovers() {
        return lease.takeovers();
    }

    @Override
    public long runSeq() {
        return lease.runSeq();
    }

    @Override
    public Optional<String> owner() {
        return Optional.ofNullable(lease.owner());
    }

    @Override
    public Instant createdAt() {
        return origin.createdAt();
    }

    @Override
    public Optional<Instant> dueAt() {
        return Optional.ofNullable(lease.dueAt());
    }

    @Override
    public Optional<Instant> deadlineAt() {
        return Optional.ofNullable(origin.deadlineAt());
    }

    @Override
    public String toString() {
        // never the data: it may hold what must not be logged
        return typeName() + " " + businessKey() + " (" + sagaId() + ") " + state() + " at " + step() + ", run "
                + runSeq();
    }

    @Override
    public Optional<String> lastError() {
        return Optional.ofNullable(error);
    }
}
