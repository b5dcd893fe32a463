package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.Direction;
import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.jdbc.Schema;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import io.holdfast.saga.spi.Change;
import io.holdfast.saga.spi.ClaimOrder;
import io.holdfast.saga.spi.DefinitionRef;
import io.holdfast.saga.spi.LocalAttempt;
import io.holdfast.saga.spi.LocalWork;
import io.holdfast.saga.spi.NewEntry;
import io.holdfast.saga.spi.NewSaga;
import io.holdfast.saga.spi.SagaStore;
import io.holdfast.saga.spi.StoreTransaction;
import io.holdfast.saga.spi.StoredSaga;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/** The saga tables in a test's database, stores on them, and sagas to put into them. */
record StoreFixture(TestDatabase database) {
    /** To be quoted; not on any search_path. */
    static final String SCHEMA = "Saga \"tables\"";

    static final String NODE = "node-a-1";
    static final Duration LEASE = Duration.ofMinutes(10);
    static final DefinitionRef DEFINITION = new DefinitionRef("order", 1, "0123456789abcdef");

    private static final Map<String, DataSource> POOLS = new ConcurrentHashMap<>();

    static StoreFixture on(TestDatabase database) {
        Schema.migrate(database.dataSource(), SCHEMA);
        return new StoreFixture(database);
    }

    /** One per database, however many instances its test class has. */
    DataSource sharedPool() {
        return POOLS.computeIfAbsent(database.name(), name -> database.pool(20));
    }

    static SagaStore store(DataSource dataSource) {
        return store(dataSource, LocalLimits.DEFAULT);
    }

    static SagaStore store(DataSource dataSource, LocalLimits limits) {
        return new PostgresSagaStore(dataSource, null, SagaTables.in(SCHEMA), (dsl, holdings, until) -> {}, limits);
    }

    void empty() {
        Sql.execute(database.dataSource(), sql("TRUNCATE {saga}, {log}"));
    }

    /** Moves all that is stored into the past. */
    void passTime(Duration time) {
        long micros = time.toNanos() / 1000;
        Sql.execute(
                database.dataSource(),
                sql("UPDATE {saga} SET due_at = due_at - w.past, deadline_at = deadline_at - w.past,"
                        + " created_at = created_at - w.past, step_at = step_at - w.past, changed_at = changed_at - w.past"
                        + " FROM (SELECT ? * interval '1 microsecond' AS past) AS w"),
                micros);
        Sql.execute(database.dataSource(), sql("UPDATE {log} SET at = at - ? * interval '1 microsecond'"), micros);
    }

    static String sql(String text) {
        return SagaTables.in(SCHEMA).sql(text);
    }

    static NewSaga saga(String key) {
        return saga(key, DEFINITION);
    }

    static NewSaga saga(String key, DefinitionRef definition) {
        UUID id = UUID.nameUUIDFromBytes((definition.typeName() + key).getBytes(StandardCharsets.UTF_8));
        return new NewSaga(id, definition, key, "same", UUID.randomUUID(), "{\"amount\": 7}", "first", null);
    }

    static ClaimOrder order(String owner, int atMost) {
        return new ClaimOrder(owner, LEASE, List.of(DEFINITION), atMost);
    }

    static Change next(StoredSaga saga, String step) {
        return change(saga, step, 0, Change.Counters.NEW_STEP, new Change.Kept(), Kind.STEP_DONE);
    }

    static Change ended(StoredSaga saga, SagaState state) {
        Kind kind = state == SagaState.STUCK ? Kind.STUCK : Kind.valueOf(state.name());
        return new Change(
                state,
                saga.direction(),
                saga.pivot(),
                new Change.Progress(saga.step(), saga.attempts(), Change.Counters.KEEP),
                new Change.Ended(),
                null,
                List.of(NewEntry.of(kind, saga.step(), saga.direction())));
    }

    static Change parked(StoredSaga saga, Duration wakeUpIn) {
        return change(
                saga, saga.step(), saga.attempts(), Change.Counters.KEEP, new Change.Parked(wakeUpIn), Kind.PARKED);
    }

    private static Change change(
            StoredSaga saga, String step, int attempts, Change.Counters counters, Change.Tenure tenure, Kind kind) {
        return new Change(
                SagaState.RUNNING,
                Direction.FORWARD,
                Pivot.NONE,
                new Change.Progress(step, attempts, counters),
                tenure,
                null,
                List.of(NewEntry.of(kind, saga.step(), Direction.FORWARD)));
    }

    /** An attempt that nobody gives up. */
    static LocalAttempt attempt(LocalWork work) {
        return new LocalAttempt() {
            @Override
            public void onAbort(Runnable abort) {}

            @Override
            public Change run(StoreTransaction transaction) throws Exception {
                return work.run(transaction);
            }
        };
    }
}
