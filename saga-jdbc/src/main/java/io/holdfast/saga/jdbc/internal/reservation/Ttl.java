package io.holdfast.saga.jdbc.internal.reservation;

import io.holdfast.saga.internal.Checks;
import java.time.Duration;

/** How long a reservation is kept. */
final class Ttl {
    static final Duration DEFAULT = Duration.ofMinutes(15);

    private Ttl() {}

    static Duration checked(Duration ttl) {
        return Checks.duration("ttl", ttl, Duration.ofMillis(100), Duration.ofDays(365));
    }
}
