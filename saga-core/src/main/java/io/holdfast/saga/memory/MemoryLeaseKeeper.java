package io.holdfast.saga.memory;

import io.holdfast.saga.SagaState;
import io.holdfast.saga.spi.Holding;
import io.holdfast.saga.spi.LeaseKeeper;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A heartbeat without a connection, for sagas that hold no rows. */
record MemoryLeaseKeeper(InMemorySagaStore store) implements LeaseKeeper {
    @Override
    public Map<UUID, SagaState> renew(Map<UUID, Long> runSeqs, Duration lease) {
        Map<UUID, SagaState> renewed = new HashMap<>();
        runSeqs.forEach((id, runSeq) -> store.renew(id, runSeq, lease).ifPresent(state -> renewed.put(id, state)));
        return renewed;
    }

    @Override
    public void extend(List<Holding> holdings) {}

    @Override
    public void rest() {}

    @Override
    public void close() {}
}
