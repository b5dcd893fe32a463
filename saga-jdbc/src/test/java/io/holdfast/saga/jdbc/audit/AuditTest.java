package io.holdfast.saga.jdbc.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.saga.JournalEntry;
import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaSnapshot;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStoreException;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.jdbc.Schema;
import io.holdfast.saga.jdbc.internal.AuditReads;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

@PostgresTest
class AuditTest {
    private static final String SCHEMA = "Audit \"x\"";
    private static final String QUOTED = "\"Audit \"\"x\"\"\"";

    private final TestDatabase database;
    private final DataSource dataSource;
    private final SagaAudit audit;

    AuditTest(TestDatabase database) {
        this.database = database;
        this.dataSource = database.dataSource();
        this.audit = new AuditReads(dataSource, SCHEMA);
    }

    @BeforeEach
    void createTables() {
        Schema.migrate(dataSource, SCHEMA);
    }

    /** A saga that was started, and last changed, so long ago. */
    private UUID saga(String type, SagaState state, Duration age) {
        UUID id = UUID.randomUUID();
        boolean open = state == SagaState.RUNNING || state == SagaState.COMPENSATING;
        Sql.execute(
                dataSource,
                "INSERT INTO " + QUOTED + ".saga (saga_id, type_name, type_version, definition_hash, business_key,"
                        + " identity, incarnation, data, state, direction, pivot, step, attempts, step_at, takeovers,"
                        + " run_seq, owner, due_at, log_seq, deadline_at, last_error, created_at, changed_at)"
                        + " SELECT cast(? AS uuid), ?, 3, 'hash', 'key ' || ?, 'identity', gen_random_uuid(), '{\"secret\": 1}', ?,"
                        + " ?, 'NONE', 'pay', 2, t.at, 1, 7, CASE WHEN ? THEN 'node-1' END,"
                        + " CASE WHEN ? THEN t.at + interval '1 second' END, 9, NULL, 'boom', t.at, t.at"
                        + " FROM (SELECT clock_timestamp() - ? * interval '1 millisecond' AS at) AS t",
                id.toString(),
                type,
                type,
                state.name(),
                state == SagaState.COMPENSATING || state == SagaState.COMPENSATED ? "BACKWARD" : "FORWARD",
                open,
                open,
                age.toMillis());
        return id;
    }

    private void entry(UUID saga, int seq, Kind kind, String step, String result, String error) {
        Sql.execute(
                dataSource,
                "INSERT INTO " + QUOTED + ".saga_log (saga_id, seq, at, kind, step, direction, attempt, run_seq, node,"
                        + " result, error, note) VALUES (cast(? AS uuid), ?, clock_timestamp(), ?, ?, 'FORWARD', 1, 7,"
                        + " 'node-1', cast(? AS jsonb), ?, 'note')",
                saga.toString(),
                seq,
                kind.name(),
                step,
                result,
                error);
    }

    private static String receipt(String table, String... rows) {
        return "{\"lock\": \"" + table + "\", \"millis\": 1000, \"rows\": [" + String.join(",", rows) + "]}";
    }

    private static String row(String id, String former, String how) {
        return "{\"id\": " + id + ", \"former\": " + former + ", \"how\": \"" + how + "\"}";
    }

    private List<UUID> ids(SagaQuery query) {
        return audit.find(query).stream().map(SagaSnapshot::sagaId).toList();
    }

    @Test
    void a_saga_is_found_by_its_id() {
        UUID id = saga("order", SagaState.RUNNING, Duration.ofHours(1));

        var found = audit.find(id).orElseThrow();

        assertThat(found.sagaId()).isEqualTo(id);
        assertThat(found.typeName()).isEqualTo("order");
        assertThat(found.typeVersion()).isEqualTo(3);
        assertThat(found.businessKey()).isEqualTo("key order");
        assertThat(found.state()).isEqualTo(SagaState.RUNNING);
        assertThat(found.pivot()).isEqualTo(Pivot.NONE);
        assertThat(found.step()).isEqualTo("pay");
        assertThat(found.attempts()).isEqualTo(2);
        assertThat(found.takeovers()).isEqualTo(1);
        assertThat(found.runSeq()).isEqualTo(7);
        assertThat(found.owner()).contains("node-1");
        assertThat(found.dueAt()).contains(found.createdAt().plusSeconds(1));
        assertThat(found.deadlineAt()).isEmpty();
        assertThat(found.lastError()).contains("boom");
        assertThat(Duration.between(found.createdAt(), Instant.now()))
                .isBetween(Duration.ofMinutes(59), Duration.ofMinutes(61));
        assertThat(audit.find(UUID.randomUUID())).isEmpty();
    }

    @Test
    void a_query_excludes_by_type_state_and_time_since_the_last_change() {
        UUID oldest = saga("order", SagaState.STUCK, Duration.ofHours(3));
        UUID old = saga("order", SagaState.RUNNING, Duration.ofHours(2));
        UUID other = saga("refund", SagaState.STUCK, Duration.ofHours(1));
        UUID young = saga("order", SagaState.STUCK, Duration.ZERO);

        assertThat(ids(SagaQuery.all())).containsExactly(oldest, old, other, young);
        assertThat(ids(SagaQuery.all().type("order"))).containsExactly(oldest, old, young);
        assertThat(ids(SagaQuery.all().state(SagaState.STUCK))).containsExactly(oldest, other, young);
        assertThat(ids(SagaQuery.all().state(SagaState.STUCK, SagaState.RUNNING)))
                .containsExactly(oldest, old, other, young);
        assertThat(ids(SagaQuery.all().unchangedFor(Duration.ofMinutes(90)))).containsExactly(oldest, old);
        assertThat(ids(SagaQuery.all()
                        .type("order")
                        .state(SagaState.STUCK)
                        .unchangedFor(Duration.ofMinutes(90))
                        .limit(1)))
                .containsExactly(oldest);
        assertThat(ids(SagaQuery.all().state(SagaState.COMPLETED))).isEmpty();
    }

    @Test
    void pages_follow_each_other_without_a_gap_or_a_repetition_also_where_ages_are_equal() {
        Sql.execute(
                dataSource,
                "INSERT INTO " + QUOTED + ".saga (saga_id, type_name, type_version, definition_hash, business_key,"
                        + " identity, incarnation, data, state, direction, pivot, step, attempts, step_at, takeovers,"
                        + " run_seq, log_seq, created_at, changed_at)"
                        + " SELECT gen_random_uuid(), 'order', 1, 'h', 'k', 'i', gen_random_uuid(), '{}', 'COMPLETED', 'FORWARD',"
                        + " 'PASSED', 's', 0, t.at, 0, 1, 1, t.at, t.at FROM generate_series(1, 250) n,"
                        + " LATERAL (SELECT timestamptz '2026-01-01 00:00:00.123456Z' + n / 100 * interval '1 microsecond' AS at) t");
        List<SagaSnapshot> seen = new ArrayList<>();
        SagaQuery page = SagaQuery.all().limit(100);
        List<Integer> sizes = new ArrayList<>();
        while (true) {
            var found = audit.find(page);
            sizes.add(found.size());
            seen.addAll(found);
            if (found.size() < 100) {
                break;
            }
            page = page.after(found.get(found.size() - 1));
        }

        assertThat(sizes).containsExactly(100, 100, 50);
        assertThat(new HashSet<>(seen.stream().map(SagaSnapshot::sagaId).toList()))
                .hasSize(250);
        assertThat(seen).isSortedAccordingTo((a, b) -> a.createdAt().compareTo(b.createdAt()));
    }

    @Test
    void what_a_query_cannot_mean_is_refused() {
        var all = SagaQuery.all();

        assertThatThrownBy(() -> all.type("no such; name"))
                .isInstanceOf(SagaDefinitionException.class)
                .hasMessageContaining("SAGA-101");
        assertThatThrownBy(() -> all.type(null)).hasMessageContaining("SAGA-106");
        assertThatThrownBy(all::state).hasMessageContaining("SAGA-105");
        assertThatThrownBy(() -> all.state((SagaState) null)).hasMessageContaining("SAGA-106");
        assertThatThrownBy(() -> all.limit(0)).hasMessageContaining("SAGA-105");
        assertThatThrownBy(() -> all.limit(1001)).hasMessageContaining("SAGA-105");
        assertThatThrownBy(() -> all.unchangedFor(Duration.ofMillis(-1))).hasMessageContaining("SAGA-104");
        assertThatThrownBy(() -> all.after(null)).hasMessageContaining("SAGA-106");
        assertThatThrownBy(() -> audit.find((UUID) null))
                .isInstanceOf(SagaUsageException.class)
                .hasMessageContaining("SAGA-106");
        assertThatThrownBy(() -> audit.find((SagaQuery) null)).isInstanceOf(SagaUsageException.class);
        assertThatThrownBy(() -> audit.timeline(null)).isInstanceOf(SagaUsageException.class);
        assertThatThrownBy(() -> audit.locksHeld(null)).isInstanceOf(SagaUsageException.class);
    }

    @Test
    void the_timeline_tells_what_happened_in_order() {
        UUID id = saga("order", SagaState.RUNNING, Duration.ZERO);
        entry(id, 1, Kind.STARTED, null, null, null);
        entry(id, 2, Kind.STEP_DONE, "reserve", "{\"secret\": 1}", null);
        entry(id, 3, Kind.STEP_FAILED, "pay", null, "boom");

        var timeline = audit.timeline(id);

        assertThat(timeline).extracting(JournalEntry::seq).containsExactly(1L, 2L, 3L);
        assertThat(timeline)
                .extracting(JournalEntry::kind)
                .containsExactly(Kind.STARTED, Kind.STEP_DONE, Kind.STEP_FAILED);
        assertThat(timeline.get(0).step()).isEmpty();
        assertThat(timeline.get(2).step()).contains("pay");
        assertThat(timeline.get(2).error()).contains("boom");
        assertThat(timeline.get(2).note()).contains("note");
        assertThat(timeline.get(2).node()).isEqualTo("node-1");
        assertThat(timeline.get(2).attempt()).isEqualTo(1);
        assertThat(audit.timeline(UUID.randomUUID())).isEmpty();
        assertThat(Sql.rows(
                        dataSource, "SELECT seq, kind, business_key FROM " + QUOTED + ".saga_timeline ORDER BY seq"))
                .extracting(row -> row.get("seq") + " " + row.get("kind") + " " + row.get("business_key"))
                .containsExactly("1 STARTED key order", "2 STEP_DONE key order", "3 STEP_FAILED key order");
    }

    @Test
    void rows_are_held_from_their_claim_to_its_undo_or_release_or_the_end_of_the_saga() {
        UUID holds = saga("order", SagaState.RUNNING, Duration.ZERO);
        entry(holds, 1, Kind.STARTED, null, null, null);
        entry(holds, 2, Kind.STEP_DONE, "claim", receipt("orders", row("[\"42\"]", "\"NEW\"", "ACQUIRED")), null);
        entry(holds, 3, Kind.STEP_DONE, "again", receipt("orders", row("[\"42\"]", "null", "RE_ENTERED")), null);
        entry(
                holds,
                4,
                Kind.STEP_DONE,
                "lines",
                receipt(
                        "lines",
                        row("[\"42\", \"1\"]", "null", "ACQUIRED"),
                        row("[\"42\", \"2\"]", "\"OPEN\"", "ACQUIRED")),
                null);
        entry(holds, 5, Kind.STEP_DONE, "pay", "{\"lock\": null, \"rows\": 7}", null);
        UUID undone = saga("order", SagaState.COMPENSATING, Duration.ZERO);
        entry(undone, 1, Kind.STEP_DONE, "claim", receipt("orders", row("[\"1\"]", "\"NEW\"", "ACQUIRED")), null);
        entry(undone, 2, Kind.STEP_UNDONE, "claim", null, null);
        UUID released = saga("order", SagaState.RUNNING, Duration.ZERO);
        entry(released, 1, Kind.STEP_DONE, "claim", receipt("orders", row("[\"2\"]", "\"NEW\"", "ACQUIRED")), null);
        entry(released, 2, Kind.STEP_DONE, "claim2", receipt("orders", row("[\"3\"]", "\"NEW\"", "ACQUIRED")), null);
        entry(released, 3, Kind.STEP_DONE, "confirm", "{\"released\": [\"claim\"]}", null);
        UUID ended = saga("order", SagaState.COMPLETED, Duration.ZERO);
        entry(ended, 1, Kind.STEP_DONE, "claim", receipt("orders", row("[\"4\"]", "\"NEW\"", "ACQUIRED")), null);

        assertThat(audit.locksHeld(holds))
                .extracting(
                        held -> held.claimedBy() + " " + held.table() + " " + held.rowId() + " " + held.formerStatus())
                .containsExactly(
                        "claim orders 42 " + Optional.of("NEW"),
                        "lines lines [\"42\", \"1\"] " + Optional.empty(),
                        "lines lines [\"42\", \"2\"] " + Optional.of("OPEN"));
        assertThat(audit.locksHeld(undone)).isEmpty();
        assertThat(audit.locksHeld(released))
                .extracting(SagaAudit.HeldRow::rowId)
                .containsExactly("3");
        assertThat(audit.locksHeld(ended)).isEmpty();
        assertThat(Sql.value(dataSource, Long.class, "SELECT count(*) FROM " + QUOTED + ".saga_locks"))
                .isEqualTo(4);
    }

    @Test
    void the_views_of_open_and_stuck_sagas_say_what_needs_looking_after() {
        UUID running = saga("order", SagaState.RUNNING, Duration.ofHours(1));
        UUID stuck = saga("order", SagaState.STUCK, Duration.ofHours(2));
        saga("order", SagaState.COMPLETED, Duration.ZERO);

        assertThat(Sql.rows(dataSource, "SELECT saga_id, overdue FROM " + QUOTED + ".saga_open ORDER BY created_at"))
                .containsExactly(
                        Map.of("saga_id", stuck, "overdue", false), Map.of("saga_id", running, "overdue", true));
        assertThat(Sql.rows(dataSource, "SELECT saga_id, can_turn_back FROM " + QUOTED + ".saga_stuck"))
                .containsExactly(Map.of("saga_id", stuck, "can_turn_back", true));
    }

    @Test
    void the_view_of_waits_says_who_waits_for_whom_as_long_as_it_does() {
        UUID holder = saga("order", SagaState.RUNNING, Duration.ZERO);
        UUID waiter = saga("order", SagaState.RUNNING, Duration.ofMinutes(1));
        entry(
                waiter,
                2,
                Kind.STEP_FAILED,
                "pay",
                null,
                "ConcurrentSagaException: SAGA-401: orders 42 is held by saga " + holder
                        + " (RUNNING at step pay), until null");

        assertThat(Sql.rows(dataSource, "SELECT saga_id, holder_id FROM " + QUOTED + ".saga_waits"))
                .containsExactly(Map.of("saga_id", waiter, "holder_id", holder));

        entry(waiter, 3, Kind.STEP_FAILED, "pay", null, "something else");
        assertThat(Sql.rows(dataSource, "SELECT saga_id FROM " + QUOTED + ".saga_waits"))
                .isEmpty();
    }

    @Test
    @DisplayName("B84: neither data nor results are read")
    void neither_data_nor_results_are_read() {
        UUID id = saga("order", SagaState.STUCK, Duration.ZERO);
        entry(id, 1, Kind.STEP_DONE, "claim", receipt("orders", row("[\"42\"]", "\"NEW\"", "ACQUIRED")), null);
        var blind = new AuditReads(blindAuditor(), SCHEMA);

        assertThat(blind.find(id)).isPresent();
        assertThat(blind.find(SagaQuery.all())).hasSize(1);
        assertThat(blind.timeline(id)).hasSize(1);
        assertThat(blind.locksHeld(id)).hasSize(1);
    }

    /** A user who may read every column but the payloads, and all views. */
    private DataSource blindAuditor() {
        String user = "auditor_" + database.name();
        Sql.execute(dataSource, "CREATE ROLE " + user + " LOGIN PASSWORD 'x'");
        Sql.execute(dataSource, "GRANT USAGE ON SCHEMA " + QUOTED + " TO " + user);
        for (String table : List.of("saga", "saga_log")) {
            String columns = Sql.value(
                    dataSource,
                    String.class,
                    "SELECT string_agg(quote_ident(column_name), ', ') FROM information_schema.columns"
                            + " WHERE table_schema = ? AND table_name = ? AND column_name NOT IN ('data', 'result')",
                    SCHEMA,
                    table);
            Sql.execute(dataSource, "GRANT SELECT (" + columns + ") ON " + QUOTED + "." + table + " TO " + user);
        }
        Sql.execute(dataSource, "GRANT SELECT ON " + QUOTED + ".saga_locks TO " + user);
        var source = new PGSimpleDataSource();
        source.setServerNames(new String[] {database.host()});
        source.setPortNumbers(new int[] {database.port()});
        source.setDatabaseName(database.name());
        source.setUser(user);
        source.setPassword("x");
        return source;
    }

    @Test
    void a_database_that_is_away_is_said_as_such() {
        var nowhere = new PGSimpleDataSource();
        nowhere.setServerNames(new String[] {"127.0.0.1"});
        nowhere.setPortNumbers(new int[] {1});

        assertThatThrownBy(() -> new AuditReads(nowhere, SCHEMA).find(SagaQuery.all()))
                .isInstanceOf(SagaStoreException.class)
                .hasMessageContaining("SAGA-601");
    }

    @Test
    void every_view_and_its_computed_columns_are_explained() {
        for (String view : List.of("saga_open", "saga_stuck", "saga_timeline", "saga_locks", "saga_waits")) {
            assertThat(Sql.value(
                            dataSource,
                            String.class,
                            "SELECT obj_description(cast(? AS regclass))",
                            QUOTED + "." + view))
                    .as(view)
                    .isNotBlank();
        }
    }
}
