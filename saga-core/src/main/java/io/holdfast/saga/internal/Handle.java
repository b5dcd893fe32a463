package io.holdfast.saga.internal;

import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaOutcome;
import io.holdfast.saga.SagaSnapshot;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.Verdict;
import io.holdfast.saga.spi.StoredSaga;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One saga, seen through an engine. */
record Handle(Engine engine, UUID sagaId) implements SagaHandle {
    private static final Duration LONGEST_WAIT = Duration.ofDays(365);
    private static final long FIRST_LOOK_MILLIS = 20;
    private static final long LAST_LOOK_MILLIS = 1000;

    @Override
    public Optional<SagaSnapshot> snapshot() {
        return engine.node().store().load(sagaId).map(saga -> saga);
    }

    @Override
    public Verdict cancel(String reason) {
        return engine.cancel(sagaId, Checks.reason("reason", reason));
    }

    @Override
    public Optional<SagaOutcome> await(Duration atMost) {
        Checks.argument("time to wait", atMost);
        if (atMost.isNegative() || atMost.compareTo(LONGEST_WAIT) > 0) {
            throw new SagaUsageException(
                    SagaError.INVALID_DURATION,
                    "time to wait " + atMost + " is refused: from " + Duration.ZERO + " to " + LONGEST_WAIT);
        }
        Announcements announcements = engine.node().announcements();
        CompletableFuture<Boolean> ended = announcements.wait(sagaId);
        try {
            return look(ended, engine.node().waiting().nanos() + atMost.toNanos());
        } finally {
            announcements.giveBack(sagaId, ended);
        }
    }

    /** Told at once when this node ends the saga; looks, ever less often, for the case that another one does. */
    private Optional<SagaOutcome> look(CompletableFuture<Boolean> ended, long until) {
        for (long pause = FIRST_LOOK_MILLIS; ; pause = Math.min(pause * 2, LAST_LOOK_MILLIS)) {
            Optional<StoredSaga> saga = engine.node().store().load(sagaId);
            if (saga.isPresent() && isOver(saga.get().state())) {
                return Optional.of(engine.outcome(saga.get()));
            }
            saga.filter(Handle::waitsForNobody).ifPresent(due -> engine.wake(sagaId));
            long left = until - engine.node().waiting().nanos();
            if (left <= 0) {
                return Optional.empty();
            }
            await(ended, Math.min(left, TimeUnit.MILLISECONDS.toNanos(pause)));
        }
    }

    private static boolean isOver(SagaState state) {
        return state.isFinal() || state == SagaState.STUCK;
    }

    private static boolean waitsForNobody(StoredSaga saga) {
        return saga.owner().isEmpty()
                && saga.dueAt().filter(due -> !due.isAfter(saga.readAt())).isPresent();
    }

    private void await(CompletableFuture<Boolean> ended, long nanos) {
        if (ended.isDone()) {
            // stuck and taken up again since: from here on only looking helps
            sleep(nanos);
            return;
        }
        try {
            ended.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return;
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private void sleep(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private SagaUsageException interrupted() {
        Thread.currentThread().interrupt();
        return new SagaUsageException(
                SagaError.INTERRUPTED, "interrupted while waiting for saga " + sagaId + "; the saga goes on");
    }
}
