package io.holdfast.saga.memory;

import io.holdfast.saga.internal.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A clock that stands still until it is told to move on; what is due then runs on the thread that moves it. Threadsafe. */
final class VirtualClock implements Waiting {
    /** Any moment would do; this one is easily told from a real one. */
    private static final Instant BEGINNING = Instant.parse("2000-01-01T00:00:00Z");

    private Instant now = BEGINNING;
    private final List<Timer> timers = new ArrayList<>();

    /** Told apart by identity: two timers may be equal in all else. */
    private static final class Timer {
        private final Instant dueAt;
        private final Runnable task;

        Timer(Instant dueAt, Runnable task) {
            this.dueAt = dueAt;
            this.task = task;
        }
    }

    synchronized Instant now() {
        return now;
    }

    void advance(Duration time) {
        moveTo(now().plus(time));
    }

    /** Moves on, never back, and runs what is due by then in its order; tasks see the time at which they are due. */
    void moveTo(Instant then) {
        for (Optional<Timer> next = takeDue(then); next.isPresent(); next = takeDue(then)) {
            next.get().task.run();
        }
        synchronized (this) {
            now = latest(now, then);
        }
    }

    private synchronized Optional<Timer> takeDue(Instant then) {
        Optional<Timer> due = first().filter(timer -> !timer.dueAt.isAfter(then));
        due.ifPresent(timer -> {
            timers.remove(timer);
            now = latest(now, timer.dueAt);
        });
        return due;
    }

    private static Instant latest(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private Optional<Timer> first() {
        return timers.stream().min(Comparator.comparing((Timer timer) -> timer.dueAt));
    }

    /** When the next task is due. */
    synchronized Optional<Instant> next() {
        return first().map(timer -> timer.dueAt);
    }

    @Override
    public long nanos() {
        return Duration.between(BEGINNING, now()).toNanos();
    }

    @Override
    public long wallMillis() {
        return now().toEpochMilli();
    }

    @Override
    public synchronized Scheduled schedule(Duration delay, Runnable task) {
        Timer timer = new Timer(now.plus(delay), task);
        timers.add(timer);
        return () -> {
            synchronized (this) {
                timers.remove(timer);
            }
        };
    }

    @Override
    public synchronized void close() {
        timers.clear();
    }
}
