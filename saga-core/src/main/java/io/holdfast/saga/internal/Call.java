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
final class Call implements AutoCloseable {
    private final View view;
    private final Subject subject;
    private final Control control;
    private volatile boolean closed;
    private volatile @Nullable String note;

    /** The saga as it was when the attempt began. */
    record View(StoredSaga saga, Progress progress, Payloads payloads, boolean holdsRows, Duration sinceStep) {}

    /** What is called: a step, and whether it is done or undone. */
    record Subject(String step, Direction direction, int attempt) {}

    /** How the attempt stands. */
    interface Control {
        /** Whether the saga was turned back meanwhile. */
        boolean isCancelled();

        /** Whether the attempt was given up. */
        boolean isGivenUp();

        /** What is left of the timeout. */
        Duration remaining();
    }

    Call(View view, Subject subject, Control control) {
        this.view = view;
        this.subject = subject;
        this.control = control;
    }

    View view() {
        if (closed || control.isGivenUp()) {
            throw new SagaUsageException(
                    SagaError.CONTEXT_CLOSED,
                    "the context of step \"" + subject.step
                            + "\" is used after its call ended or was given up; nothing it does"
                            + " is part of the saga any more");
        }
        return view;
    }

    boolean isCancelled() {
        return closed || control.isGivenUp() || control.isCancelled();
    }

    Duration remaining() {
        view();
        return control.remaining();
    }

    int attempt() {
        view();
        return subject.attempt;
    }

    /** The key of this call. */
    String key() {
        return key(subject.direction);
    }

    String key(Direction direction) {
        return Digests.idempotencyKey(view().saga().origin().incarnation(), subject.step, direction.name());
    }

    <R> @Nullable R find(String step, Class<R> type) {
        String json = view().progress().doneResult(step);
        return json == null ? null : view.payloads().decode("result of step \"" + step + "\"", json, type);
    }

    String encoded(Object value) {
        return view().payloads().encode("result of step \"" + subject.step + "\"", value);
    }

    void note(String text) {
        note = Texts.storable(text, 1000);
    }

    @Nullable
    String note() {
        return note;
    }

    @Override
    public void close() {
        closed = true;
    }
}
