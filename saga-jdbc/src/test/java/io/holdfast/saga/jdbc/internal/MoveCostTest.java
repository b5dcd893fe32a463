package io.holdfast.saga.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.jdbc.Unclosed;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import io.holdfast.saga.spi.Change;
import io.holdfast.saga.spi.SagaStore;
import io.holdfast.saga.spi.StoredSaga;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a move costs the database. */
@PostgresTest
class MoveCostTest {
    private static final int SAGAS = 50;
    private static final int STEPS = 10;

    /** Protocol §2: a move never writes due_at; one that did would touch every index, for nothing. */
    @Test
    void moves_from_step_to_step_write_no_index(TestDatabase database) throws SQLException {
        StoreFixture.on(database);
        try (Connection connection = database.dataSource().getConnection()) {
            SagaStore store = StoreFixture.store(Unclosed.dataSource(connection));
            for (int i = 0; i < SAGAS; i++) {
                StoredSaga saga = store.insertOwned(StoreFixture.saga("k" + i), StoreFixture.NODE, StoreFixture.LEASE)
                        .saga();
                for (int step = 0; step < STEPS; step++) {
                    Change change = StoreFixture.next(saga, "step-" + step);
                    assertThat(store.move(saga.guard(), StoreFixture.NODE, change))
                            .isPresent();
                    saga = store.load(saga.sagaId()).orElseThrow();
                }
            }
            Sql.rows(connection, "SELECT pg_stat_force_next_flush()");
            Map<String, Object> counted = Sql.rows(
                            connection,
                            "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'saga'")
                    .get(0);
            assertThat((Long) counted.get("n_tup_upd")).isEqualTo(SAGAS * STEPS);
            assertThat((Long) counted.get("n_tup_hot_upd")).isGreaterThan(SAGAS * STEPS * 8 / 10);
        }
    }
}
