package io.holdfast.saga.memory;

import io.holdfast.saga.spi.SagaStore;
import io.holdfast.saga.spi.SagaStoreContract;
import java.time.Duration;

class InMemorySagaStoreTest extends SagaStoreContract {
    private final VirtualClock clock = new VirtualClock();
    private final SagaStore store = new InMemorySagaStore(clock);

    @Override
    public SagaStore store() {
        return store;
    }

    @Override
    public void passTime(Duration time) {
        clock.advance(time);
    }
}
