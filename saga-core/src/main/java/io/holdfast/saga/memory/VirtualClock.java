package io.holdfast.saga.memory;

import java.time.Duration;
import java.time.Instant;

/** A clock that stands still until it is told to move on. Threadsafe. */
final class VirtualClock {
    /** Any moment would do; this one is easily told from a real one. */
    private Instant now = Instant.parse("2000-01-01T00:00:00Z");

    synchronized Instant now() {
        return now;
    }

    synchronized void advance(Duration time) {
        now = now.plus(time);
    }
}
