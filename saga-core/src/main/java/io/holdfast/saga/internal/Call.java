package io.holdfast.saga.internal;

import io.holdfast.saga.Direction;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.spi.StoredSaga;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What all contexts of one call of user code share: the saga, what is known of its steps, and the attempt. Threadsafe; once it is
 * closed it answers nothing but whether it is cancelled.
 */
final class Call {
    private final StoredSaga saga;
    private final Progress progress;
    private final Payloads payloads;
    private final String step;
    private final Direction direction;
    private final Control control;

    /** How the attempt stands. */
    interface Control {
        boolean isCancelled();

        boolean isOver();

        Duration remaining();

        int number();

        /** Time on the database's clock since the step became current. */
        Duration sinceStep();

        /** Whether the saga holds rows. */
        boolean holdsRows();
    }

    Call(StoredSaga saga, Progress progress, Payloads payloads, String step, Direction direction, Control control) {
        this.saga = saga;
        this.progress = progress;
        this.payloads = payloads;
        this.step = step;
        this.direction = direction;
        this.control = control;
    }

    private void open() {
        if (control.isOver()) {
            throw new SagaUsageException(
                    SagaError.CONTEXT_CLOSED,
                    "the context of step \"" + step
                            + "\" is used after its call ended; what it wrote is not part of the saga");
        }
    }

    StoredSaga saga() {
        open();
        return saga;
    }

    Control control() {
        open();
        return control;
    }

    boolean isCancelled() {
        return control.isOver() || control.isCancelled();
    }

    String key(Direction of) {
        open();
        return Digests.idempotencyKey(saga.origin().incarnation(), step, of.name());
    }

    String key() {
        return key(direction);
    }

    <R> @Nullable R find(String other, Class<R> type) {
        open();
        String json = progress.isDone(other) ? progress.result(other) : null;
        return json == null ? null : payloads.decode("result of step \"" + other + "\"", json, type);
    }
}
