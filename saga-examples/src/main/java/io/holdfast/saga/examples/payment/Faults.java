package io.holdfast.saga.examples.payment;

import io.holdfast.saga.examples.payment.Books.Kind;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** What is to go wrong, by account, so that several tests can use one provider. Threadsafe; nothing goes wrong by default. */
public final class Faults {
    private final Set<Case> declined = ConcurrentHashMap.newKeySet();
    private final Map<Case, AtomicInteger> lost = new ConcurrentHashMap<>();
    private final Map<Case, Duration> slow = new ConcurrentHashMap<>();
    private volatile boolean down;

    /** Used by the server. */
    Faults() {}

    private record Case(Kind kind, long account) {}

    /**
     * Refuses new calls of a kind, with authority; answers given before stand.
     *
     * @param kind which calls
     * @param account whose
     */
    public void decline(Kind kind, long account) {
        declined.add(new Case(kind, account));
    }

    /**
     * Does the work and hangs up without an answer.
     *
     * @param kind which calls
     * @param account whose
     * @param times how many calls
     */
    public void loseAnswers(Kind kind, long account, int times) {
        lost.put(new Case(kind, account), new AtomicInteger(times));
    }

    /**
     * Does the work at once and answers late.
     *
     * @param kind which calls
     * @param account whose
     * @param delay how late
     */
    public void answerSlowly(Kind kind, long account, Duration delay) {
        slow.put(new Case(kind, account), delay);
    }

    /** Hangs up on every call without doing anything, until {@link #comeBack}. */
    public void goDown() {
        down = true;
    }

    /** Ends {@link #goDown}. */
    public void comeBack() {
        down = false;
    }

    boolean isDown() {
        return down;
    }

    boolean declines(Kind kind, long account) {
        return declined.contains(new Case(kind, account));
    }

    boolean losesAnswer(Kind kind, long account) {
        var left = lost.get(new Case(kind, account));
        return left != null && left.getAndDecrement() > 0;
    }

    Duration delay(Kind kind, long account) {
        return slow.getOrDefault(new Case(kind, account), Duration.ZERO);
    }
}
