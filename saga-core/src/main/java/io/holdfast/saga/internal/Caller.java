package io.holdfast.saga.internal;

import io.holdfast.saga.Direction;
import io.holdfast.saga.PayloadException;
import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.internal.UndoBody.Known;
import io.holdfast.saga.spi.Change;
import io.holdfast.saga.spi.Isolation;
import io.holdfast.saga.spi.LocalAttempt;
import io.holdfast.saga.spi.StoreTransaction;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls user code: in its own attempt, with a timeout, a context that closes, the logging context, and a clean interrupt flag. One
 * per drive; used by the driving thread, signalled from others.
 */
final class Caller<D> {
    private final Node node;
    private final Seat<D> seat;
    private final Drive<D> drive;
    private final AtomicReference<@Nullable Attempt> current = new AtomicReference<>();
    private volatile boolean interrupted;
    private @Nullable D data;

    /** What is called: a step's action or its undo, at whose expense, as which attempt. */
    record What<D>(StepSpec<D> step, Direction direction, Direction budget, int number, Result result) {
        /** Whether the call answers with what is journalled. */
        enum Result {
            STORED,
            NONE
        }

        /** The action. */
        static <D> What<D> action(StepSpec<D> step, int number) {
            return new What<>(step, Direction.FORWARD, Direction.FORWARD, number, Result.STORED);
        }

        /** What is looked at before an external pivot is asked. */
        static <D> What<D> beginning(StepSpec<D> step, int number) {
            return new What<>(step, Direction.FORWARD, Direction.FORWARD, number, Result.NONE);
        }

        /** The action, asked again on the way back to settle a doubt. */
        static <D> What<D> settlement(StepSpec<D> step, int number) {
            return new What<>(step, Direction.FORWARD, Direction.BACKWARD, number, Result.STORED);
        }

        /** The undo. */
        static <D> What<D> undo(StepSpec<D> step, int number) {
            return new What<>(step, Direction.BACKWARD, Direction.BACKWARD, number, Result.NONE);
        }

        RetryPolicy retry() {
            return budget == Direction.FORWARD
                    ? step.policies().retry()
                    : step.policies().undoRetry();
        }

        Call.Subject subject() {
            return new Call.Subject(step.name(), direction, number);
        }
    }

    Caller(Node node, Seat<D> seat, Drive<D> drive) {
        this.node = node;
        this.seat = seat;
        this.drive = drive;
    }

    /** The data, read once; what cannot be read fails each attempt, and no other saga. */
    D data() {
        D known = data;
        if (known == null) {
            Class<D> type = seat.definition().type().dataClass();
            known = node.payloads().decode("data", seat.saga().origin().data(), type);
            data = known;
        }
        return known;
    }

    /** The attempt that runs now, for signals from other threads. */
    @Nullable
    Attempt current() {
        return current.get();
    }

    /** Whether somebody else than the engine interrupted the thread, whose flag was cleared for the next call. */
    boolean wasInterrupted() {
        return interrupted;
    }

    /** An external action. */
    Outcome act(What<D> what) {
        return attempt(what, attempt -> {
            seat.begun();
            return within(what, attempt, ctx -> what.step.action().run(ctx, null));
        });
    }

    /** An external undo. */
    Outcome undo(What<D> what, UndoBody<D> body) {
        return attempt(
                what,
                attempt -> within(what, attempt, ctx -> {
                    body.undo(ctx, null, known(what.step));
                    return null;
                }));
    }

    /**
     * A local action or undo: work in the store's transaction, ended by the change that the result leads to. Null when it was
     * committed, or when the saga turned out to stand elsewhere.
     */
    @Nullable
    Outcome local(What<D> what, Work<D> work, Function<Outcome.Done, Change> change) {
        Isolation isolation = what.step.policies().isolation();
        if (isolation.isStrict()) {
            seat.ensureLeaseFor(what.step.policies().timeout());
        }
        Attempt attempt = begin(what.step);
        Waiting.Scheduled timeout = schedule(what, attempt);
        LocalAttempt inTransaction = new LocalAttempt() {
            @Override
            public Isolation isolation() {
                return isolation;
            }

            @Override
            public Change run(StoreTransaction transaction) throws Exception {
                return change.apply(within(what, attempt, ctx -> work.run(ctx, transaction)));
            }

            @Override
            public void onAbort(Runnable abort) {
                attempt.onAbort(abort);
            }
        };
        try {
            seat.writeWith(inTransaction, attempt::end);
            return null;
        } catch (DriveEnded e) {
            throw e;
        } catch (Throwable e) {
            if (!attempt.end()) {
                throw new DriveEnded(DriveEnded.Why.GIVEN_UP, "the attempt was given up");
            }
            return failed(attempt, what, e);
        } finally {
            timeout.cancel();
            clear(attempt);
        }
    }

    private Outcome failed(Attempt attempt, What<D> what, Throwable failure) {
        if (attempt.isStopped()) {
            return new Outcome.Stopped();
        }
        if (failure instanceof InterruptedException && !attempt.isGivenUp()) {
            interrupted = true;
        }
        return Outcome.of(failure, what.step.policies());
    }

    /** The next call begins with a clean interrupt flag. */
    private void clear(Attempt attempt) {
        current.compareAndSet(attempt, null);
        if (Thread.interrupted() && !attempt.isStopped() && !attempt.isGivenUp()) {
            interrupted = true;
        }
    }

    /** The library's own work in a transaction, ended by a change; no user code. Null when it was committed, or the saga stands elsewhere. */
    @Nullable
    Outcome transaction(StepSpec<D> step, Consumer<StoreTransaction> work, Supplier<Change> change) {
        Attempt attempt = begin(step);
        try {
            seat.writeWith(
                    new LocalAttempt() {
                        @Override
                        public Change run(StoreTransaction transaction) {
                            work.accept(transaction);
                            return change.get();
                        }

                        @Override
                        public void onAbort(Runnable abort) {
                            attempt.onAbort(abort);
                        }
                    },
                    attempt::end);
            return null;
        } catch (DriveEnded e) {
            throw e;
        } catch (Throwable e) {
            return Outcome.of(e, step.policies());
        } finally {
            clear(attempt);
        }
    }

    /** What runs inside a local attempt. */
    @FunctionalInterface
    interface Work<D> {
        @Nullable
        Object run(EngineContext<D> ctx, StoreTransaction transaction) throws Exception;
    }

    private interface Body {
        Outcome run(Attempt attempt) throws Exception;
    }

    private Outcome attempt(What<D> what, Body body) {
        long runSeq = seat.saga().runSeq();
        Attempt attempt = begin(what.step);
        Waiting.Scheduled timeout = schedule(what, attempt);
        Outcome outcome;
        try {
            outcome = body.run(attempt);
        } catch (Throwable e) {
            outcome = failed(attempt, what, e);
        } finally {
            timeout.cancel();
        }
        boolean mine = attempt.end();
        clear(attempt);
        if (!mine) {
            drive.late(what, runSeq, outcome);
            throw new DriveEnded(DriveEnded.Why.GIVEN_UP, "the attempt was given up");
        }
        return outcome;
    }

    private Attempt begin(StepSpec<D> step) {
        Attempt attempt = new Attempt(node.waiting(), step.policies().timeout());
        current.set(attempt);
        return attempt;
    }

    private Waiting.Scheduled schedule(What<D> what, Attempt attempt) {
        return node.waiting().schedule(what.step.policies().timeout(), () -> drive.timedOut(attempt, what));
    }

    private Outcome.Done within(What<D> what, Attempt attempt, StepFunctionOf<D> body) throws Exception {
        Call.View view = new Call.View(
                seat.saga(),
                seat.progress(),
                node.payloads(),
                !Holdings.of(seat.definition(), seat.progress(), seat.saga().sagaId())
                        .renewed()
                        .isEmpty(),
                seat.sinceStep());
        Object result;
        String note;
        try (Diagnostics ignored = Diagnostics.of(seat.saga(), what.step.name());
                Call call = new Call(view, what.subject(), attempt)) {
            result = body.run(new EngineContext<>(call, data()));
            note = call.note();
        }
        return new Outcome.Done(what.result == What.Result.STORED ? encoded(what.step, result) : null, note);
    }

    private interface StepFunctionOf<D> {
        @Nullable
        Object run(EngineContext<D> ctx) throws Exception;
    }

    private @Nullable String encoded(StepSpec<D> step, @Nullable Object result) {
        if (step.signature().resultClass() == null) {
            return null;
        }
        String what = "result of step \"" + step.name() + "\"";
        if (result == null) {
            throw new PayloadException(SagaError.RESULT_MISSING, what + " is null; a step with a key returns a result");
        }
        return node.payloads().encode(what, result);
    }

    /** What is known of a step's action when it is to be undone. */
    Known known(StepSpec<D> step) {
        Progress progress = seat.progress();
        String json = progress.result(step.name());
        Class<?> type = step.signature().resultClass();
        boolean certain = progress.isDone(step.name()) || progress.isLate(step.name());
        Object result = json == null || type == null
                ? null
                : node.payloads().decode("result of step \"" + step.name() + "\"", json, type);
        return new Known(certain, result);
    }
}
