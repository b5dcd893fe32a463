package io.holdfast.saga.jdbc.internal.lock;

import io.holdfast.saga.internal.EngineContext;
import io.holdfast.saga.spi.StoredSaga;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * What a claim is asked for.
 *
 * @param claimer who asks
 * @param ids distinct ids, each one text per column of the key
 * @param lockFor how long the rows shall be held
 * @param sinceStep how long the claim has been tried
 */
record LockRequest(Claimer claimer, List<List<String>> ids, Duration lockFor, Duration sinceStep) {
    /** Of a saga without a deadline. */
    static final Duration DEFAULT = Duration.ofMinutes(5);

    private static final Duration LEAST = Duration.ofSeconds(1);

    /**
     * The saga that claims.
     *
     * @param sagaId its id
     * @param createdAt its age, for wait-die
     * @param holdsRows whether it holds rows already
     * @param node the node that drives it
     */
    record Claimer(UUID sagaId, Instant createdAt, boolean holdsRows, String node) {}

    static LockRequest of(LockSpec lock, EngineContext<?> ctx, List<List<String>> ids) {
        StoredSaga saga = ctx.saga();
        Claimer claimer = new Claimer(
                saga.sagaId(), saga.createdAt(), ctx.holdsRows(), saga.owner().orElse("?"));
        return new LockRequest(claimer, ids, lockFor(lock, ctx), ctx.sinceStep());
    }

    private static Duration lockFor(LockSpec lock, EngineContext<?> ctx) {
        if (lock.patience().lockFor() != null) {
            return lock.patience().lockFor();
        }
        Instant deadline = ctx.saga().origin().deadlineAt();
        if (deadline == null) {
            return DEFAULT;
        }
        Instant now = ctx.saga().position().stepAt().plus(ctx.sinceStep());
        Duration left = Duration.between(now, deadline);
        return left.compareTo(LEAST) < 0 ? LEAST : left;
    }
}
