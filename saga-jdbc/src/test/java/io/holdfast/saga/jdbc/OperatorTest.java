package io.holdfast.saga.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.saga.JournalEntry;
import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.Verdict;
import io.holdfast.saga.jdbc.admin.SagaAdmin;
import io.holdfast.saga.jdbc.testing.Effects;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@PostgresTest
class OperatorTest {
    private final Effects effects;
    private final Trip trip;
    private final DataSource dataSource;
    private final AtomicBoolean broken = new AtomicBoolean(true);
    private JdbcSagas sagas;
    private SagaAdmin kim;

    OperatorTest(TestDatabase database) {
        this.dataSource = database.pool(8);
        this.effects = Effects.install(database);
        this.trip = new Trip(dataSource, effects);
    }

    @BeforeEach
    void begin() {
        Schema.migrate(dataSource, Schema.DEFAULT_NAME);
        sagas = trip.engine().reapEvery(Duration.ofHours(1)).build();
        kim = sagas.admin("kim");
    }

    @AfterEach
    void close() {
        sagas.close();
        effects.close();
    }

    /** Stuck at its pivot, which cannot be told to have failed. */
    private SagaHandle stuckAtThePivot() {
        trip.when("pay", ctx -> {
            if (broken.get()) {
                throw new IllegalStateException("the gateway is away");
            }
        });
        var saga = sagas.start(Trip.TYPE, "o-1", Trip.Data.of(1));
        assertThat(saga.await(Trip.LIMIT).orElseThrow().state()).isEqualTo(SagaState.STUCK);
        return saga;
    }

    @Test
    void retry_has_a_stuck_saga_go_on_at_once_and_says_who_and_why() {
        var saga = stuckAtThePivot();
        broken.set(false);

        assertThat(kim.retry(saga.sagaId(), "gateway is back, incident 4711")).isEqualTo(Verdict.APPLIED);

        await().atMost(Trip.LIMIT).until(() -> saga.snapshot().orElseThrow().state() == SagaState.COMPLETED);
        assertThat(sagas.audit().timeline(saga.sagaId()))
                .filteredOn(entry -> entry.kind() == Kind.OPERATOR)
                .singleElement()
                .extracting(JournalEntry::note)
                .isEqualTo(java.util.Optional.of("kim: gateway is back, incident 4711"));
        assertThat(kim.retry(saga.sagaId(), "again")).isEqualTo(Verdict.TOO_LATE);
    }

    @Test
    void retry_gives_fresh_attempts_and_a_saga_that_fails_again_is_stuck_again() {
        var saga = stuckAtThePivot();
        long before = effects.count("pay", "action");

        assertThat(kim.retry(saga.sagaId(), "try")).isEqualTo(Verdict.APPLIED);

        await().atMost(Trip.LIMIT).until(() -> effects.count("pay", "action") == 2 * before);
        await().atMost(Trip.LIMIT).until(() -> saga.snapshot().orElseThrow().state() == SagaState.STUCK);
    }

    @Test
    void turning_back_is_too_late_once_the_pivot_was_begun() {
        var saga = stuckAtThePivot();

        assertThat(kim.turnBack(saga.sagaId(), "no")).isEqualTo(Verdict.TOO_LATE);
        assertThat(saga.snapshot().orElseThrow().state()).isEqualTo(SagaState.STUCK);
    }

    @Test
    void who_is_not_stuck_goes_on_by_itself_and_who_is_not_there_is_not_found() {
        UUID running = trip.waiting(Trip.OTHER, 1);

        assertThat(kim.retry(running, "why")).isEqualTo(Verdict.ALREADY);
        assertThat(kim.turnBack(running, "why")).isEqualTo(Verdict.ALREADY);
        assertThat(kim.retry(UUID.randomUUID(), "why")).isEqualTo(Verdict.NOT_FOUND);
        assertThat(kim.turnBack(UUID.randomUUID(), "why")).isEqualTo(Verdict.NOT_FOUND);
    }

    @Test
    void an_operator_has_a_name_and_a_reason() {
        UUID id = UUID.randomUUID();

        assertThatThrownBy(() -> sagas.admin("kim; drop table"))
                .isInstanceOf(SagaDefinitionException.class)
                .hasMessageContaining("SAGA-101");
        assertThatThrownBy(() -> sagas.admin(null)).hasMessageContaining("SAGA-106");
        assertThatThrownBy(() -> kim.retry(null, "why"))
                .isInstanceOf(SagaUsageException.class)
                .hasMessageContaining("SAGA-106");
        assertThatThrownBy(() -> kim.retry(id, null)).hasMessageContaining("SAGA-106");
        assertThatThrownBy(() -> kim.turnBack(id, " ")).hasMessageContaining("SAGA-105");
        assertThatThrownBy(() -> kim.turnBack(id, "x".repeat(501))).hasMessageContaining("SAGA-105");
    }
}
