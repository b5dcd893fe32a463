package io.holdfast.saga.jdbc.testing;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** A cut that a {@link TcpProxy} makes at a certain statement, and how far it is. Threadsafe. */
public final class StatementCut {

    /** What the cut loses. */
    public enum Loses {
        /** The server runs the statement to its end, then both sides are dropped: the client cannot know. */
        ANSWER,
        /** Both sides are dropped before the statement reaches the server. */
        STATEMENT,
        /** The client is dropped; the server notices nothing, and gets the statement when it is delivered. */
        CLIENT
    }

    /** Is, or as one of several statements contains, a COMMIT. */
    static final Predicate<String> COMMIT = Pattern.compile("(?i)(^|;)\\s*commit(\\s+(work|transaction))?\\s*(;|$)")
            .asPredicate();

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Predicate<String> statement;
    private final AtomicInteger remaining;
    private final Loses loses;
    private final CountDownLatch happened = new CountDownLatch(1);
    private volatile BooleanSupplier held = () -> {
        throw new IllegalStateException("nothing is held: only a cut that loses the client can be delivered late");
    };

    StatementCut(Predicate<String> statement, int nth, Loses loses) {
        if (nth < 1) {
            throw new IllegalArgumentException("statements are counted from 1, not from " + nth);
        }
        this.statement = statement;
        this.remaining = new AtomicInteger(nth);
        this.loses = loses;
    }

    /** Whether the connection was dropped, for {@link Loses#ANSWER} after the server's answer was seen. */
    public boolean happened() {
        return happened.getCount() == 0;
    }

    /** Returns when the connection was dropped; fails after ten seconds. */
    public void awaitHappened() {
        await().alias("the cut at a statement").atMost(LIMIT).until(this::happened);
    }

    /**
     * Lets a held statement reach the server, and returns when it has run; its session then ends. Returns false when the
     * session was gone already, by a time-out of the server say.
     */
    public boolean deliver() {
        awaitHappened();
        return held.getAsBoolean();
    }

    Loses loses() {
        return loses;
    }

    boolean strikes(String executed) {
        return statement.test(executed) && remaining.getAndDecrement() == 1;
    }

    void hold(ProxyLink link, List<Frame> messages) {
        held = () -> link.deliver(messages);
    }

    void done() {
        happened.countDown();
    }
}
