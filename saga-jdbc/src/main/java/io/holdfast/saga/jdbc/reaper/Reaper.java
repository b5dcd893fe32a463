package io.holdfast.saga.jdbc.reaper;

import io.holdfast.saga.SagaStoreException;
import io.holdfast.saga.SagaUsageException;
import java.time.Duration;
import java.util.Optional;

/**
 * Finds sagas that are due and that nobody drives (parked ones whose time has come, ones that found no free slot when they were
 * started, ones whose node has died) and hands as many to this node as it has free slots. Ticks by itself, every 5 seconds
 * unless {@code reapEvery} says otherwise; several nodes side by side are the normal case, and each saga goes to one of them.
 * Get it from {@code JdbcSagas.reaper()}. Threadsafe.
 */
public interface Reaper {
    /**
     * One pass now, in the calling thread: claims, and returns without waiting for the sagas to be driven. For tests and
     * operators. Waits while another pass of this node is running: they never overlap.
     *
     * @return what this node got; sagas that another node was faster to claim are not in it
     * @throws SagaStoreException when the database cannot be asked (SAGA-601), or its answer was lost (SAGA-602: what was claimed
     *     is taken over when its lease has expired)
     * @throws SagaUsageException when the engine is closed (SAGA-205)
     */
    Pass tick();

    /**
     * Health: how long ago the last pass ended well, by itself or by {@link #tick()}.
     *
     * @return empty when none has yet
     */
    Optional<Duration> sinceLastTick();

    /**
     * Health: whether no pass has ended well for more than three intervals, so that abandoned sagas are not found by this node.
     * Also logged, once, as a warning. The database may be away, or a scheduler of the application's own stopped.
     *
     * @return true when so; never after close
     */
    boolean isLate();

    /**
     * What a pass did.
     *
     * @param takenOver sagas taken over from nodes whose lease had expired
     * @param woken sagas that nobody owned: parked ones that were due, and ones that had found no free slot
     * @param expired reservations whose time was over and that this pass has recorded as expired, at most 500
     */
    record Pass(int takenOver, int woken, int expired) {}
}
