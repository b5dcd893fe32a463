package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.spi.Isolation;
import java.time.Duration;

/**
 * What bounds the transaction of a local step on the server, so that nobody holds rows for ever: not a statement that waits for
 * one, and not a node that froze between two statements.
 *
 * @param lockTimeout how long a statement waits for a locked row
 * @param idleInTransaction how long the transaction may be open with no statement running
 */
public record LocalLimits(Duration lockTimeout, Duration idleInTransaction) {
    /** 5 seconds and 30 seconds. */
    public static final LocalLimits DEFAULT = new LocalLimits(Duration.ofSeconds(5), Duration.ofSeconds(30));

    /** The first message of the transaction. Its level is said whatever the database's default, or a lost race would be an error. */
    String begin(Isolation.Level level) {
        return "SET TRANSACTION ISOLATION LEVEL " + level.sql() + "; SET LOCAL lock_timeout = " + millis(lockTimeout)
                + "; SET LOCAL idle_in_transaction_session_timeout = " + millis(idleInTransaction);
    }

    /** 0 would mean no limit. */
    private static long millis(Duration limit) {
        return Math.max(1, Math.min(limit.toMillis(), Integer.MAX_VALUE));
    }
}
