package io.holdfast.saga.examples.crash;

import io.holdfast.saga.examples.crash.CrashPoint.Act;
import io.holdfast.saga.examples.crash.CrashPoint.Moment;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * A saga that is driven by one thread and stands still for ever when it comes to its crash point; what happens to its process
 * then happens to it there. Counts on the way.
 */
final class Victim {
    private static final ThreadLocal<Victim> CURRENT = new ThreadLocal<>();

    private final Map<Act, Integer> counts = new EnumMap<>(Act.class);
    private final Optional<CrashPoint> target;
    private final CountDownLatch reached;

    private Victim(Optional<CrashPoint> target, CountDownLatch reached) {
        this.target = target;
        this.reached = reached;
    }

    /** One that only counts. */
    static Victim unharmed() {
        return new Victim(Optional.empty(), new CountDownLatch(1));
    }

    /** One that counts {@code reached} down when it comes to its point. */
    static Victim at(CrashPoint target, CountDownLatch reached) {
        return new Victim(Optional.of(target), reached);
    }

    /** What the calling thread does from now on, it does as this victim. */
    void enter() {
        CURRENT.set(this);
    }

    static void leave() {
        CURRENT.remove();
    }

    int count(Act act) {
        return counts.getOrDefault(act, 0);
    }

    /** Does something that a crash point may be at; on threads that are nobody, such as the heartbeat's, just does it. */
    static <T, X extends Exception> T passing(Act act, Work<T, X> work) throws X {
        var victim = CURRENT.get();
        if (victim == null) {
            return work.run();
        }
        victim.counts.merge(act, 1, Integer::sum);
        victim.standStillAt(act, Moment.BEFORE);
        try {
            return work.run();
        } finally {
            victim.standStillAt(act, Moment.AFTER);
        }
    }

    private void standStillAt(Act act, Moment moment) {
        if (target.isPresent() && target.get().equals(new CrashPoint(act, count(act), moment))) {
            reached.countDown();
            while (true) {
                LockSupport.park(this);
                // An interrupt would make park return at once, for ever.
                Thread.interrupted();
            }
        }
    }

    interface Work<T, X extends Exception> {
        T run() throws X;
    }
}
