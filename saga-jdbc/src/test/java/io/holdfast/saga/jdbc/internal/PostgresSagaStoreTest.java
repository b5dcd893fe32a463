package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import io.holdfast.saga.spi.SagaStore;
import io.holdfast.saga.spi.SagaStoreContract;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;

/** The contract, on PostgreSQL; one database for all tests, its tables emptied before each. */
@PostgresTest(PostgresTest.Scope.PER_CLASS)
class PostgresSagaStoreTest extends SagaStoreContract {
    private final StoreFixture fixture;
    private final SagaStore store;

    PostgresSagaStoreTest(TestDatabase database) {
        fixture = StoreFixture.on(database);
        store = StoreFixture.store(fixture.sharedPool());
    }

    @BeforeEach
    void empty() {
        fixture.empty();
    }

    @Override
    public SagaStore store() {
        return store;
    }

    @Override
    public void passTime(Duration time) {
        fixture.passTime(time);
    }
}
