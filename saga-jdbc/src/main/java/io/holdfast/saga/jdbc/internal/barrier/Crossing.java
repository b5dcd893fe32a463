package io.holdfast.saga.jdbc.internal.barrier;

import io.holdfast.saga.PayloadException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.internal.Payloads;
import io.holdfast.saga.jdbc.barrier.BarrierCall;
import io.holdfast.saga.jdbc.barrier.GuardedWork;
import io.holdfast.saga.jdbc.barrier.Passage;
import io.holdfast.saga.jdbc.barrier.Passage.Kind;
import org.jspecify.annotations.Nullable;

/**
 * How one call is decided. Of two transactions with the same action one inserts the row; the other waits for it there, and what it finds
 * afterwards is final.
 */
record Crossing<C, R, X extends Exception>(
        BarrierCall call, Class<R> resultClass, Payloads payloads, Joined joined, GuardedWork<C, R, X> work) {

    Passage<R> in(C transaction) throws X {
        return switch (call.direction()) {
            case FORWARD -> forward(transaction);
            case BACKWARD -> backward(transaction);
        };
    }

    private Passage<R> forward(C transaction) throws X {
        if (joined.insert(Mark.State.DONE)) {
            return run(transaction);
        }
        Mark mark = joined.find();
        return mark.state() == Mark.State.DONE ? replay(mark.result()) : new Passage<>(Kind.LATE, null);
    }

    /** The row is inserted before anything is known of the action: one that comes at the same time waits, or is waited for. */
    private Passage<R> backward(C transaction) throws X {
        if (joined.insert(Mark.State.EMPTY)) {
            return new Passage<>(Kind.EMPTY, null);
        }
        if (joined.undo()) {
            return run(transaction);
        }
        Mark mark = joined.find();
        return switch (mark.state()) {
            case EMPTY -> new Passage<>(Kind.EMPTY, null);
            case UNDONE -> replay(mark.undoResult());
            case DONE -> throw joined.retry(); // purged and done anew, between two statements
        };
    }

    private Passage<R> run(C transaction) throws X {
        R result = work.apply(transaction);
        if (result != null) {
            joined.store(payloads.encode(what(), result));
        } else if (resultClass == Void.class) {
            joined.assertOpen();
        } else {
            throw new PayloadException(
                    SagaError.RESULT_MISSING,
                    what() + " is null, " + resultClass.getName()
                            + " was announced; Void.class is for work without one");
        }
        return new Passage<>(Kind.RAN, result);
    }

    private Passage<R> replay(@Nullable String json) {
        if (resultClass == Void.class) {
            return new Passage<>(Kind.REPLAYED, null);
        }
        if (json == null) {
            throw new PayloadException(
                    SagaError.PAYLOAD_UNREADABLE,
                    what() + " was stored by work without a result, " + resultClass.getName() + " is asked for");
        }
        return new Passage<>(Kind.REPLAYED, payloads.decode(what(), json, resultClass));
    }

    private String what() {
        return "the result of " + call;
    }
}
