package io.holdfast.saga.memory;

import io.holdfast.saga.Direction;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.spi.Change;
import io.holdfast.saga.spi.Change.Counters;
import io.holdfast.saga.spi.NewSaga;
import io.holdfast.saga.spi.StoredSaga;
import io.holdfast.saga.spi.StoredSaga.Lease;
import io.holdfast.saga.spi.StoredSaga.Origin;
import io.holdfast.saga.spi.StoredSaga.Position;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The transition table of the protocol (§2) as functions from a saga to the saga that it becomes. */
final class Transitions {
    private Transitions() {}

    static StoredSaga started(NewSaga saga, Lease lease, Instant now) {
        Duration deadline = saga.deadline();
        Origin origin = new Origin(
                saga.sagaId(),
                saga.definition(),
                saga.businessKey(),
                saga.identity(),
                saga.incarnation(),
                saga.data(),
                now,
                deadline == null ? null : now.plus(deadline));
        Position position = new Position(SagaState.RUNNING, Direction.FORWARD, Pivot.NONE, saga.firstStep(), 0, now);
        return new StoredSaga(origin, position, lease, null, now);
    }

    static StoredSaga claimed(StoredSaga saga, String owner, Duration term, Instant now) {
        int expired = saga.owner().isPresent() ? 1 : 0;
        return with(saga, new Lease(owner, now.plus(term), saga.runSeq() + 1, saga.takeovers() + expired));
    }

    static StoredSaga renewed(StoredSaga saga, Duration term, Instant now) {
        return with(saga, new Lease(saga.lease().owner(), now.plus(term), saga.runSeq(), saga.takeovers()));
    }

    static StoredSaga fenced(StoredSaga saga) {
        Lease lease = saga.lease();
        return with(saga, new Lease(lease.owner(), lease.dueAt(), lease.runSeq() + 1, lease.takeovers()));
    }

    static StoredSaga cancelled(StoredSaga saga, Instant now) {
        Lease lease = saga.owner().isPresent() ? saga.lease() : new Lease(null, now, saga.runSeq() + 1, 0);
        Position was = saga.position();
        Position position = new Position(
                SagaState.COMPENSATING, Direction.BACKWARD, was.pivot(), was.step(), was.attempts(), was.stepAt());
        return new StoredSaga(saga.origin(), position, lease, saga.error(), now);
    }

    static StoredSaga retried(StoredSaga saga, Direction direction, Instant now) {
        SagaState state = direction == Direction.FORWARD ? SagaState.RUNNING : SagaState.COMPENSATING;
        Position position = new Position(state, direction, saga.pivot(), saga.step(), 0, now);
        return new StoredSaga(saga.origin(), position, new Lease(null, now, saga.runSeq() + 1, 0), saga.error(), now);
    }

    static StoredSaga moved(StoredSaga saga, Change change, Instant now) {
        Change.Progress progress = change.progress();
        boolean newStep = progress.counters() == Counters.NEW_STEP;
        Position position = new Position(
                change.state(),
                change.direction(),
                change.pivot(),
                progress.step(),
                progress.attempts(),
                newStep ? now : saga.position().stepAt());
        String error = change.error() == null ? saga.error() : change.error();
        return new StoredSaga(saga.origin(), position, lease(saga, change, now), error, now);
    }

    private static Lease lease(StoredSaga saga, Change change, Instant now) {
        Lease was = saga.lease();
        int takeovers = change.progress().counters() == Counters.KEEP ? was.takeovers() : 0;
        if (change.tenure() instanceof Change.Parked parked) {
            return new Lease(null, wakeUp(saga, change, now.plus(parked.wakeUpIn())), was.runSeq(), takeovers);
        }
        if (change.tenure() instanceof Change.Ended) {
            return new Lease(null, null, was.runSeq(), takeovers);
        }
        int raise = change.tenure() instanceof Change.Raised ? 1 : 0;
        return new Lease(was.owner(), was.dueAt(), was.runSeq() + raise, takeovers);
    }

    private static Instant wakeUp(StoredSaga saga, Change change, Instant wanted) {
        @Nullable Instant deadline = saga.origin().deadlineAt();
        boolean mayTurnBack = change.direction() == Direction.FORWARD && change.pivot() == Pivot.NONE;
        return mayTurnBack && deadline != null && deadline.isBefore(wanted) ? deadline : wanted;
    }

    private static StoredSaga with(StoredSaga saga, Lease lease) {
        return new StoredSaga(saga.origin(), saga.position(), lease, saga.error(), saga.readAt());
    }
}
