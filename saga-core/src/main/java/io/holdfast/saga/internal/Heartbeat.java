package io.holdfast.saga.internal;

import io.holdfast.saga.SagaState;
import io.holdfast.saga.spi.Holding;
import io.holdfast.saga.spi.LeaseKeeper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this node's leases, and the deadlines of the rows its sagas hold, on a thread of its own: leases first, then rows. Also the
 * way by which an owner hears that another node turned its saga back.
 */
final class Heartbeat {
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

    private final Node node;
    private final Dispatcher dispatcher;
    private final LeaseKeeper keeper;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(new DaemonThreads("holdfast-heartbeat"));

    Heartbeat(Node node, Dispatcher dispatcher) {
        this.node = node;
        this.dispatcher = dispatcher;
        this.keeper = node.store().leaseKeeper();
    }

    /** Looks every sixth of a lease, and renews what has used up a third: so at least half is always left. */
    void begin() {
        long period = Math.max(1, node.lease().toMillis() / 6);
        ScheduledFuture<?> unused = thread.scheduleWithFixedDelay(this::beat, period, period, TimeUnit.MILLISECONDS);
    }

    private void beat() {
        try {
            List<Drive<?>> due = new ArrayList<>();
            for (Drive<?> drive : dispatcher.active()) {
                if (drive.seat().lease().isDueForRenewal()) {
                    due.add(drive);
                }
            }
            if (!due.isEmpty()) {
                renew(due);
            } else if (dispatcher.active().isEmpty()) {
                keeper.rest();
            }
        } catch (RuntimeException | Error e) {
            LOG.warn(
                    "A heartbeat failed; leases last until their end, and it is tried again in a sixth of that time",
                    e);
        }
    }

    private void renew(List<Drive<?>> drives) {
        Map<UUID, Long> runSeqs = new HashMap<>();
        drives.forEach(drive -> runSeqs.put(drive.sagaId(), drive.seat().saga().runSeq()));
        LeaseClock.Reading before = LeaseClock.Reading.of(node.waiting());
        Map<UUID, SagaState> renewed = keeper.renew(runSeqs, node.lease());
        List<Holding> holdings = new ArrayList<>();
        for (Drive<?> drive : drives) {
            SagaState state = renewed.get(drive.sagaId());
            if (state != null) {
                renewed(drive, state, before);
                holdings.addAll(drive.holdings());
            } else if (drive.seat().saga().runSeq() == runSeqs.getOrDefault(drive.sagaId(), -1L)) {
                drive.signal(); // lost, or ended just now: its own guard tells which
            }
        }
        if (!holdings.isEmpty()) {
            keeper.extend(holdings);
        }
    }

    private static void renewed(Drive<?> drive, SagaState state, LeaseClock.Reading before) {
        drive.seat().lease().renewed(before);
        if (state == SagaState.COMPENSATING && drive.seat().saga().state() == SagaState.RUNNING) {
            drive.signal();
        }
    }

    void close() {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(1, TimeUnit.SECONDS)) {
                LOG.warn("The heartbeat's last beat has not ended");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        keeper.close();
    }
}
