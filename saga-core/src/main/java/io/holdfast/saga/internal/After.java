package io.holdfast.saga.internal;

import io.holdfast.saga.spi.Change;
import io.holdfast.saga.spi.Moved;
import io.holdfast.saga.spi.StoredSaga;
import io.holdfast.saga.spi.StoredSaga.Lease;
import io.holdfast.saga.spi.StoredSaga.Position;
import java.time.Instant;

/** What a saga's row looks like after a change, without reading it again. */
final class After {
    private After() {}

    static StoredSaga of(StoredSaga saga, Change change, Moved moved) {
        Instant stepAt = change.progress().counters() == Change.Counters.NEW_STEP
                ? moved.at()
                : saga.position().stepAt();
        Position position = new Position(
                change.state(),
                change.direction(),
                change.pivot(),
                change.progress().step(),
                change.progress().attempts(),
                stepAt);
        String error = change.error() == null ? saga.error() : change.error();
        return new StoredSaga(saga.origin(), position, lease(saga.lease(), change, moved), error, moved.at());
    }

    private static Lease lease(Lease lease, Change change, Moved moved) {
        int takeovers = change.progress().counters() == Change.Counters.KEEP ? lease.takeovers() : 0;
        Change.Tenure tenure = change.tenure();
        if (tenure instanceof Change.Parked parked) {
            return new Lease(null, moved.at().plus(parked.wakeUpIn()), lease.runSeq(), takeovers);
        }
        if (tenure instanceof Change.Ended) {
            return new Lease(null, null, lease.runSeq(), takeovers);
        }
        long raised = tenure instanceof Change.Raised ? 1 : 0;
        return new Lease(lease.owner(), lease.dueAt(), lease.runSeq() + raised, takeovers);
    }
}
