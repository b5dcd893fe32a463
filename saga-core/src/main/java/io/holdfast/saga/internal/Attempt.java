package io.holdfast.saga.internal;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a step's action or undo, on one thread. Java threads cannot be killed: an attempt that outlives its timeout is
 * given up, that is, its thread is interrupted and ignored, its transaction aborted, and the saga goes on without it. Exactly one
 * of {@link #end} and {@link #giveUp} succeeds, and who succeeds drives the saga from there.
 */
final class Attempt implements Call.Control {
    private enum State {
        RUNNING,
        ENDED,
        GIVEN_UP
    }

    private final Waiting waiting;
    private final Duration timeout;
    private final Thread thread = Thread.currentThread();
    private final long began;
    private State state = State.RUNNING;
    private boolean stopped;
    private boolean turnedBack;
    private @Nullable Runnable abort;

    Attempt(Waiting waiting, Duration timeout) {
        this.waiting = waiting;
        this.timeout = timeout;
        this.began = waiting.nanos();
    }

    /** The thread's own end. False when the attempt was given up before: then this thread drives nothing any more. */
    synchronized boolean end() {
        if (state == State.RUNNING) {
            state = State.ENDED;
        }
        return state == State.ENDED;
    }

    /** From outside. False when the attempt ended before. Within the lock, so that no interrupt hits a thread gone on. */
    synchronized boolean giveUp() {
        if (state != State.RUNNING) {
            return false;
        }
        state = State.GIVEN_UP;
        thread.interrupt();
        return true;
    }

    /** Interrupts it because the node shuts down: it then counts as none. */
    synchronized void stop() {
        if (state == State.RUNNING) {
            stopped = true;
            thread.interrupt();
        }
    }

    /** Whether the shutdown interrupted it. */
    synchronized boolean isStopped() {
        return stopped;
    }

    synchronized void turnBack() {
        turnedBack = true;
    }

    /** How its transaction ends from outside; run at once when the attempt is given up already. */
    void onAbort(Runnable how) {
        synchronized (this) {
            abort = how;
            if (state != State.GIVEN_UP) {
                return;
            }
        }
        how.run();
    }

    /** Ends the transaction of an attempt that was given up. */
    void abort() {
        Runnable how;
        synchronized (this) {
            how = abort;
        }
        if (how != null) {
            how.run();
        }
    }

    Thread thread() {
        return thread;
    }

    @Override
    public synchronized boolean isCancelled() {
        return turnedBack || stopped;
    }

    @Override
    public synchronized boolean isGivenUp() {
        return state == State.GIVEN_UP;
    }

    @Override
    public Duration remaining() {
        Duration left = timeout.minusNanos(waiting.nanos() - began);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
