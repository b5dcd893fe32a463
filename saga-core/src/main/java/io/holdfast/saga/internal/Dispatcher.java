package io.holdfast.saga.internal;

import io.holdfast.saga.SagaException;
import io.holdfast.saga.spi.ClaimOrder;
import io.holdfast.saga.spi.Claimed;
import io.holdfast.saga.spi.StoredSaga;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's capacity: slots for sagas driven at once, and the one way by which stored sagas get into them (the claim), whether a
 * tick, a hint or a freed slot asks for it. What does not fit stays in the store.
 */
final class Dispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
    private static final int MAX_HINTS = 1000;
    private static final Duration FARTHEST_HINT = Duration.ofMinutes(1);

    private final Node node;
    private final Definitions definitions;
    private final Executor executor;
    private final Semaphore slots;
    private final int refillAt; // a claim for every single slot that becomes free would cost more than the sagas
    private final Map<UUID, Drive<?>> active = new ConcurrentHashMap<>();
    private final Map<UUID, Drive<?>> withoutSlot = new ConcurrentHashMap<>();
    private final AtomicInteger hints = new AtomicInteger();
    private final AtomicBoolean refilling = new AtomicBoolean();
    private volatile boolean backlog;
    private volatile boolean closing;

    /** What a pass did. */
    record Pass(int claimed, int takenOver) {}

    Dispatcher(Node node, Definitions definitions, Executor executor) {
        this.node = node;
        this.definitions = definitions;
        this.executor = executor;
        this.slots = new Semaphore(node.settings().capacity());
        this.refillAt = Math.max(1, node.settings().capacity() / 4);
    }

    Collection<Drive<?>> active() {
        return active.values();
    }

    @Nullable
    Drive<?> find(UUID sagaId) {
        return active.get(sagaId);
    }

    boolean isClosing() {
        return closing;
    }

    void close() {
        closing = true;
        active.values().forEach(Drive::nudge);
    }

    boolean hasFreeSlot() {
        return slots.availablePermits() > 0;
    }

    boolean reserveSlot() {
        return !closing && slots.tryAcquire();
    }

    void releaseSlot() {
        slots.release();
        refill();
    }

    /** A saga was stored that found no slot. */
    void overflowed() {
        backlog = true;
        refill();
    }

    void execute(Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.warn("The executor refused a saga; any node takes it up when its lease is over", e);
        }
    }

    /** A saga that this node owns now, in a slot that was reserved for it. */
    void begin(StoredSaga saga, Drive.Begin begin, LeaseClock.Reading before) {
        Definition<?> definition = definitions.find(saga.origin().definition());
        if (definition == null) {
            throw new IllegalStateException("claimed a saga of an unknown definition: " + saga);
        }
        Drive<?> drive = drive(definition, saga, begin, before);
        active.put(saga.sagaId(), drive);
        try {
            executor.execute(drive);
        } catch (RejectedExecutionException e) {
            LOG.warn("The executor refused {}; any node takes it up when its lease is over", saga, e);
            done(drive);
        }
    }

    /** A saga that is driven on the calling thread, outside the slots. */
    Drive<?> beginHere(StoredSaga saga, Definition<?> definition, LeaseClock.Reading before) {
        Drive<?> drive = drive(definition, saga, Drive.Begin.STARTED, before);
        withoutSlot.put(saga.sagaId(), drive);
        active.put(saga.sagaId(), drive);
        return drive;
    }

    private <D> Drive<D> drive(
            Definition<D> definition, StoredSaga saga, Drive.Begin begin, LeaseClock.Reading before) {
        return new Drive<>(node, this, new Seat<>(node, definition, saga, before), begin);
    }

    void done(Drive<?> drive) {
        active.remove(drive.sagaId(), drive);
        synchronized (active) {
            active.notifyAll();
        }
        if (!withoutSlot.remove(drive.sagaId(), drive)) {
            releaseSlot();
        }
    }

    /** Waits until nothing is driven but what runs on the calling thread. */
    boolean awaitIdle(long untilNanos) throws InterruptedException {
        Thread caller = Thread.currentThread();
        synchronized (active) {
            while (active.values().stream().anyMatch(drive -> !drive.isOn(caller))) {
                long left = untilNanos - node.waiting().nanos();
                if (left <= 0) {
                    return false;
                }
                active.wait(Math.max(1, Math.min(left / 1_000_000, 100)));
            }
        }
        return true;
    }

    /** One pass: claims as many due sagas as there are free slots. Several nodes, and threads, side by side are the normal case. */
    Pass tick() {
        int free = closing ? 0 : slots.drainPermits();
        if (free == 0) {
            backlog = !closing;
            return new Pass(0, 0);
        }
        LeaseClock.Reading before = LeaseClock.Reading.of(node.waiting());
        List<Claimed> claimed = claimDue(free);
        claimed.forEach(one -> begin(one, before));
        refill();
        int takenOver = (int) claimed.stream()
                .filter(one -> one.from() == Claimed.From.EXPIRED)
                .count();
        return new Pass(claimed.size(), takenOver);
    }

    /**
     * The mark of a backlog is taken away before the claim: a start that finds the slots reserved meanwhile sets it again, and is
     * looked for once they are free.
     */
    private List<Claimed> claimDue(int free) {
        backlog = false;
        List<Claimed> claimed = List.of();
        try {
            claimed = node.store().claimDue(order(free));
            return claimed;
        } catch (RuntimeException e) {
            backlog = true;
            throw e;
        } finally {
            slots.release(free - claimed.size());
            if (claimed.size() == free) {
                backlog = true;
            }
        }
    }

    private void begin(Claimed claimed, LeaseClock.Reading before) {
        Drive.Begin how = claimed.from() == Claimed.From.EXPIRED ? Drive.Begin.TAKEN_OVER : Drive.Begin.WOKEN;
        try {
            begin(claimed.saga(), how, before);
        } catch (RuntimeException e) {
            slots.release();
            LOG.error("Could not begin to drive {}; any node takes it up when its lease is over", claimed.saga(), e);
        }
    }

    private ClaimOrder order(int atMost) {
        return new ClaimOrder(node.owner(), node.lease(), definitions.byTurns(), atMost);
    }

    /** A hint: this saga may be due. The reaper's claim, narrowed to it; never waited for. */
    void recover(UUID sagaId) {
        if (!closing && !active.containsKey(sagaId) && hasFreeSlot()) {
            execute(() -> claim(sagaId));
        }
    }

    private void claim(UUID sagaId) {
        if (!reserveSlot()) {
            return;
        }
        boolean begun = false;
        try {
            LeaseClock.Reading before = LeaseClock.Reading.of(node.waiting());
            var claimed = node.store().claim(sagaId, order(1));
            begun = claimed.isPresent();
            claimed.ifPresent(one -> begin(one, before));
        } catch (SagaException e) {
            LOG.debug("A hint about saga {} came to nothing; the reaper finds it", sagaId, e);
        } finally {
            if (!begun) {
                releaseSlot();
            }
        }
    }

    /** The same later; bounded, since the reaper finds what a hint misses. */
    void recoverLater(UUID sagaId, Duration delay) {
        if (closing || delay.compareTo(FARTHEST_HINT) > 0) {
            return;
        }
        if (hints.incrementAndGet() > MAX_HINTS) {
            hints.decrementAndGet();
            return;
        }
        node.waiting().schedule(delay.plusMillis(5), () -> {
            hints.decrementAndGet();
            recover(sagaId);
        });
    }

    private void refill() {
        if (backlog && !closing && slots.availablePermits() >= refillAt && refilling.compareAndSet(false, true)) {
            execute(() -> {
                refilling.set(false);
                try {
                    tick();
                } catch (SagaException e) {
                    LOG.debug("Free slots could not be filled; the reaper does it", e);
                }
            });
        }
    }
}
