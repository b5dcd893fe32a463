package io.holdfast.saga.internal;

import java.time.Duration;

/**
 * How a node works. Immutable.
 *
 * @param owner the node's name with a part unique per process start
 * @param lease how long a lease is; renewed at a third of it
 * @param capacity how many sagas are driven at once
 * @param grace how long close() lets attempts end
 * @param limits what else is bounded
 */
public record Settings(String owner, Duration lease, int capacity, Duration grace, Limits limits) {
    /**
     * What else is bounded.
     *
     * @param payloadChars the longest JSON of data or a result
     * @param inPlace retries due sooner than this wait on their thread, later ones park the saga
     * @param takeovers with so many expired leases since the last recorded outcome a saga is stuck
     */
    public record Limits(int payloadChars, Duration inPlace, int takeovers) {
        /** 1 MiB, 200 ms, 5. */
        public static final Limits DEFAULT = new Limits(1 << 20, Duration.ofMillis(200), 5);
    }
}
