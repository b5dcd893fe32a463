package io.holdfast.saga.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStoreException;
import io.holdfast.saga.jdbc.testing.OpenTransaction;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import io.holdfast.saga.spi.Holding;
import io.holdfast.saga.spi.LeaseKeeper;
import io.holdfast.saga.spi.SagaStore;
import io.holdfast.saga.spi.StoredSaga;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The heartbeat's connection, and rows that are locked (protocol §7). What a renewal does and leaves alone is the contract's. */
@PostgresTest(PostgresTest.Scope.PER_CLASS)
class LeaseKeeperTest {
    private final TestDatabase database;
    private final SagaStore store;

    LeaseKeeperTest(TestDatabase database) {
        this.database = database;
        StoreFixture fixture = StoreFixture.on(database);
        store = StoreFixture.store(fixture.sharedPool());
        fixture.empty();
    }

    private UUID owned(String key) {
        return store.insertOwned(StoreFixture.saga(key), StoreFixture.NODE, StoreFixture.LEASE)
                .saga()
                .sagaId();
    }

    private Duration left(UUID id) {
        StoredSaga saga = store.load(id).orElseThrow();
        return Duration.between(saga.readAt(), saga.dueAt().orElseThrow());
    }

    private static int active(HikariDataSource pool) {
        return pool.getHikariPoolMXBean().getActiveConnections();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_connection_is_kept_from_the_first_renewal_to_the_rest(boolean autoCommit) {
        UUID id = owned("a");
        HikariDataSource heartbeats = database.pool(1, config -> config.setAutoCommit(autoCommit));
        SagaStore own = new PostgresSagaStore(
                database.pool(1), heartbeats, SagaTables.in(StoreFixture.SCHEMA), (dsl, holdings, until) -> {});
        try (LeaseKeeper keeper = own.leaseKeeper()) {
            assertThat(active(heartbeats)).isZero();
            assertThat(keeper.renew(Map.of(), Duration.ofMinutes(20))).isEmpty();
            assertThat(active(heartbeats)).isZero();

            assertThat(keeper.renew(Map.of(id, 1L), Duration.ofMinutes(20))).containsKey(id);
            assertThat(active(heartbeats)).isOne();
            assertThat(left(id)).isGreaterThan(Duration.ofMinutes(19));

            keeper.rest();
            assertThat(active(heartbeats)).isZero();
        }
    }

    @Test
    void a_broken_connection_is_replaced_at_the_next_beat() {
        UUID id = owned("a");
        HikariDataSource heartbeats = database.pool(1);
        try (LeaseKeeper keeper = StoreFixture.store(heartbeats).leaseKeeper()) {
            keeper.renew(Map.of(id, 1L), StoreFixture.LEASE);
            Sql.rows(
                    database.dataSource(),
                    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                            + " WHERE datname = current_database() AND query LIKE '%FOR NO KEY UPDATE OF s SKIP LOCKED%'"
                            + " AND pid <> pg_backend_pid()");

            assertThatThrownBy(() -> keeper.renew(Map.of(id, 1L), StoreFixture.LEASE))
                    .isInstanceOf(SagaStoreException.class);
            assertThat(keeper.renew(Map.of(id, 1L), StoreFixture.LEASE)).containsKey(id);
        }
    }

    /** One transaction that does not end must not cost the node its other leases. */
    @Test
    void a_row_that_stays_locked_does_not_keep_the_others_waiting() {
        UUID locked = owned("a");
        UUID free = owned("b");
        try (OpenTransaction frozen = OpenTransaction.begin(database.dataSource());
                LeaseKeeper keeper = store.leaseKeeper()) {
            frozen.execute(StoreFixture.sql("SELECT 1 FROM {saga} WHERE saga_id = ? FOR UPDATE"), locked);

            Map<UUID, SagaState> renewed = keeper.renew(Map.of(locked, 1L, free, 1L), Duration.ofSeconds(2));

            assertThat(renewed).containsOnlyKeys(free);
        }
    }

    /** B15: a renewal that waited for its row is no shorter for it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_row_that_is_locked_for_a_moment_is_waited_for(boolean commits) {
        UUID id = owned("a");
        try (OpenTransaction step = OpenTransaction.begin(database.dataSource())) {
            step.execute(StoreFixture.sql("UPDATE {saga} SET attempts = 1 WHERE saga_id = ?"), id);
            CompletableFuture<Map<UUID, SagaState>> renewal = CompletableFuture.supplyAsync(() -> {
                try (LeaseKeeper keeper = store.leaseKeeper()) {
                    return keeper.renew(Map.of(id, 1L), Duration.ofMinutes(20));
                }
            });
            step.awaitWaiters(1);
            if (commits) {
                step.commit();
            } else {
                step.rollback();
            }
            assertThat(renewal.join()).containsKey(id);
        }
        assertThat(left(id)).isGreaterThan(Duration.ofMinutes(18));
    }

    /** B15: also inside a transaction that is old, a lease is counted from now. */
    @Test
    void rows_are_extended_on_the_heartbeats_connection_in_autocommit() {
        List<String> seen = new ArrayList<>();
        SagaStore own = new PostgresSagaStore(
                database.pool(1), null, SagaTables.in(StoreFixture.SCHEMA), (dsl, holdings, until) -> {
                    dsl.connection(connection -> seen.add("autocommit " + connection.getAutoCommit()));
                    holdings.forEach(holding -> seen.add(holding.receipt()));
                });
        try (LeaseKeeper keeper = own.leaseKeeper()) {
            keeper.extend(List.of());
            keeper.extend(List.of(new Holding(UUID.randomUUID(), "{}")));
        }
        assertThat(seen).containsExactly("autocommit true", "{}");
    }

    /** B18: a node that freezes after its renewal sends the statement when others may drive its sagas. */
    @Test
    void rows_are_extended_until_the_first_of_the_renewed_leases_ends() {
        UUID early = owned("early");
        List<Boolean> limits = new ArrayList<>();
        SagaStore own = new PostgresSagaStore(
                database.pool(1), null, SagaTables.in(StoreFixture.SCHEMA), (dsl, holdings, until) -> {
                    Instant end = store.load(early).orElseThrow().dueAt().orElseThrow();
                    limits.add(until != null && until.toInstant().equals(end));
                });
        try (LeaseKeeper keeper = own.leaseKeeper()) {
            keeper.renew(Map.of(early, 1L), Duration.ofMinutes(20));
            keeper.extend(List.of(new Holding(early, "{}")));
        }
        assertThat(limits).containsExactly(true);
    }
}
