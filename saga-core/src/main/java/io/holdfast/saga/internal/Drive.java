package io.holdfast.saga.internal;

import io.holdfast.saga.Direction;
import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.SagaStoreException;
import io.holdfast.saga.internal.Caller.What;
import io.holdfast.saga.spi.Holding;
import io.holdfast.saga.spi.NewEntry;
import io.holdfast.saga.spi.StoredEntry;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's hold on one saga, from claim to letting go: the threads on which it is driven, one after the other, and the signals
 * that reach it from others (heartbeat, cancel, timeout, shutdown).
 */
final class Drive<D> implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Drive.class);

    /** How the node came to it. */
    enum Begin {
        /** Started here: nothing was ever tried. */
        STARTED,
        /** Claimed while nobody had it. */
        WOKEN,
        /** Claimed from a node whose lease had expired. */
        TAKEN_OVER
    }

    private final Node node;
    private final Dispatcher dispatcher;
    private final Seat<D> seat;
    private final Runner<D> runner;
    private final Begin begin;
    private final Semaphore nudges = new Semaphore(0);
    private volatile @Nullable Thread thread;
    private volatile boolean signalled;

    Drive(Node node, Dispatcher dispatcher, Seat<D> seat, Begin begin) {
        this.node = node;
        this.dispatcher = dispatcher;
        this.seat = seat;
        this.begin = begin;
        this.runner = new Runner<>(node, seat, this);
    }

    UUID sagaId() {
        return seat.saga().sagaId();
    }

    Seat<D> seat() {
        return seat;
    }

    @Override
    public void run() {
        guarded(() -> {
            if (isAdmitted()) {
                turns();
            }
        });
    }

    private void turns() {
        boolean goesOn = true;
        while (goesOn) {
            goesOn = runner.turn();
        }
    }

    private boolean isAdmitted() {
        if (begin == Begin.STARTED) {
            seat.beginFresh();
            return true;
        }
        List<StoredEntry> journal = seat.readJournal();
        if (wasNeverDriven(journal)) {
            seat.beginFresh();
        }
        node.announcements().committed(seat.saga(), journal.get(0));
        if (begin == Begin.WOKEN) {
            return true;
        }
        journal.stream()
                .filter(entry -> entry.kind() == Kind.TAKEN_OVER
                        && entry.runSeq() == seat.saga().runSeq())
                .forEach(entry -> node.announcements().entry(seat.saga(), entry));
        return runner.admitAfterTakeover();
    }

    /** Stored unowned, perhaps cancelled, and claimed now for the first time: so each entry stands for one raise of run_seq. */
    private boolean wasNeverDriven(List<StoredEntry> journal) {
        return journal.get(0).runSeq() == 0
                && journal.size() == seat.saga().runSeq()
                && journal.stream().skip(1).allMatch(entry -> entry.kind() == Kind.TURNED_BACK);
    }

    /** Nothing that a saga does ends more than its own drive. */
    private void guarded(Runnable work) {
        thread = Thread.currentThread();
        boolean over = true;
        try {
            work.run();
        } catch (DriveEnded e) {
            over = e.why() == DriveEnded.Why.LOST;
            if (over) {
                LOG.warn(
                        "Lost the lease of {}: {}; this node touches nothing more of it, whoever has it goes on",
                        seat.saga(),
                        e.getMessage());
            }
        } catch (SagaStoreException e) {
            LOG.warn(
                    "Let go of {}: the database does not answer; any node takes it up when its lease is over",
                    seat.saga(),
                    e);
        } catch (Throwable e) {
            LOG.error(
                    "Let go of {} after an unexpected error; any node takes it up when its lease is over",
                    seat.saga(),
                    e);
        } finally {
            if (over) {
                thread = null;
                dispatcher.done(this);
            }
        }
    }

    // ---- what the runner asks of its node

    boolean isClosing() {
        return dispatcher.isClosing();
    }

    boolean hasFreeSlot() {
        return dispatcher.hasFreeSlot();
    }

    void recover(UUID holder) {
        dispatcher.recover(holder);
    }

    void parked(Duration delay) {
        dispatcher.recoverLater(sagaId(), delay);
    }

    /** Waits on this thread, until nudged at most. */
    void pause(Duration delay) {
        if (delay.isZero() || dispatcher.isClosing()) {
            return;
        }
        try {
            if (nudges.tryAcquire(delay.toNanos(), TimeUnit.NANOSECONDS)) {
                nudges.drainPermits();
            }
        } catch (InterruptedException e) {
            LOG.debug("A pause of {} was interrupted", seat.saga());
        }
    }

    /** An attempt outlived its timeout: its thread is interrupted and ignored, another one goes on. */
    void timedOut(Attempt attempt, What<D> what) {
        if (attempt.giveUp()) {
            LOG.warn(
                    "Step {} of {} outlived its timeout of {}; its thread is interrupted and ignored",
                    what.step().name(),
                    seat.saga(),
                    what.step().policies().timeout());
            dispatcher.execute(() -> guarded(() -> {
                attempt.abort();
                runner.goOnAfterGivenUp(what);
                turns();
            }));
        }
    }

    /** What an external action came to after its attempt was given up, or fenced off: told, and nothing else. */
    void late(What<D> what, long runSeq, Outcome outcome) {
        if (what.direction() == Direction.BACKWARD) {
            return;
        }
        NewEntry entry = NewEntry.of(Kind.LATE, what.step().name(), seat.saga().direction())
                .attempt(what.number());
        if (outcome instanceof Outcome.Done done) {
            entry = entry.result(done.result());
        } else if (outcome instanceof Outcome.Rejected rejected) {
            entry = entry.error(node.describe(rejected.cause()));
        } else {
            return;
        }
        try {
            boolean undone = Progress.of(node.store().journal(sagaId()))
                    .isUndone(what.step().name());
            String note = "arrived after the attempt was given up"
                    + (undone ? ", and after its undo: check with the participant that nothing is left" : "");
            node.store().append(sagaId(), node.owner(), runSeq, entry.note(note));
            node.announceLast(sagaId(), Kind.LATE);
        } catch (RuntimeException e) {
            LOG.warn(
                    "A late outcome of step {} of {} could not be recorded: {}",
                    what.step().name(),
                    seat.saga(),
                    entry,
                    e);
        }
    }

    // ---- signals from other threads

    /** Somebody turned the saga back, or its lease is lost: the running attempt is told, a pause ends. */
    void signal() {
        signalled = true;
        Attempt attempt = runner.caller().current();
        if (attempt != null) {
            attempt.turnBack();
        }
        nudges.release();
    }

    /** A pause on the thread ends. */
    void nudge() {
        nudges.release();
    }

    /** Whether a signal came since this was last asked: then the row is looked at before anything else is begun. */
    boolean wasSignalled() {
        boolean was = signalled;
        signalled = false;
        return was;
    }

    /** The shutdown's grace is over. */
    void stop() {
        Attempt attempt = runner.caller().current();
        if (attempt != null) {
            attempt.stop();
        }
    }

    boolean isOn(Thread other) {
        return thread == other;
    }

    boolean wasInterrupted() {
        return runner.caller().wasInterrupted();
    }

    List<Holding> holdings() {
        return Holdings.of(seat.definition(), seat.progress(), sagaId()).renewed();
    }
}
