package io.holdfast.saga.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.jdbc.Unclosed;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import io.holdfast.saga.spi.ClaimOrder;
import io.holdfast.saga.spi.Claimed;
import io.holdfast.saga.spi.DefinitionRef;
import io.holdfast.saga.spi.SagaStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The claim under what a planner and a crowd can do to it (protocol §10). */
@PostgresTest(PostgresTest.Scope.PER_CLASS)
class ClaimsTest {
    private static final DefinitionRef OTHER = new DefinitionRef("refund", 1, "0011223344556677");
    private static final DefinitionRef THIRD = new DefinitionRef("return", 1, "8899aabbccddeeff");

    private static final String FILL = """
            INSERT INTO {saga} (saga_id, type_name, type_version, definition_hash, business_key, identity, incarnation, data,
                                state, direction, pivot, step, attempts, step_at, takeovers, run_seq, owner, due_at, log_seq,
                                created_at, changed_at)
            SELECT gen_random_uuid(), ?, 1, ?, 'k-' || n, 'same', gen_random_uuid(), '{}',
                   ?, 'FORWARD', 'NONE', 'first', 0, now(), 0, 0, NULL,
                   CASE WHEN ? = 'RUNNING' THEN now() + ? * interval '1 second' - n * interval '1 ms' END, 1, now(), now()
            FROM generate_series(1, ?) AS n""";

    private final TestDatabase database;
    private final StoreFixture fixture;

    ClaimsTest(TestDatabase database) {
        this.database = database;
        fixture = StoreFixture.on(database);
        fixture.empty();
    }

    private void fill(DefinitionRef definition, String state, int dueInSeconds, int number) {
        Sql.execute(
                database.dataSource(),
                StoreFixture.sql(FILL),
                definition.typeName(),
                definition.hash(),
                state,
                state,
                dueInSeconds,
                number);
    }

    private static ClaimOrder order(int atMost, DefinitionRef... definitions) {
        return new ClaimOrder(StoreFixture.NODE, StoreFixture.LEASE, List.of(definitions), atMost);
    }

    /** B53: whatever plan, never more than asked for. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-c enable_hashjoin=off -c enable_mergejoin=off -c enable_hashagg=off -c enable_sort=off -c enable_material=off",
                "-c enable_nestloop=off -c enable_mergejoin=off",
                "-c enable_nestloop=off -c enable_hashjoin=off",
                "-c enable_indexscan=off -c enable_bitmapscan=off -c enable_indexonlyscan=off",
                "-c enable_seqscan=off -c enable_sort=off",
                "-c plan_cache_mode=force_generic_plan"
            })
    void no_plan_claims_more_than_the_limit(String switches) {
        fill(StoreFixture.DEFINITION, "RUNNING", -60, 200);
        PGSimpleDataSource source = database.dataSource();
        source.setOptions(switches);

        List<Claimed> claimed = StoreFixture.store(source).claimDue(order(5, OTHER, StoreFixture.DEFINITION));

        assertThat(claimed).hasSize(5);
        assertThat(count("owner IS NOT NULL")).isEqualTo(5);
    }

    private long count(String condition) {
        return Sql.value(
                database.dataSource(), Long.class, StoreFixture.sql("SELECT count(*) FROM {saga} WHERE " + condition));
    }

    @Test
    void types_take_turns_and_what_one_does_not_need_the_others_get() {
        fill(StoreFixture.DEFINITION, "RUNNING", -100, 50);
        fill(OTHER, "RUNNING", -60, 3);
        SagaStore store = StoreFixture.store(fixture.sharedPool());

        assertThat(types(store.claimDue(order(6, StoreFixture.DEFINITION, OTHER, THIRD))))
                .isEqualTo(Map.of("order", 3L, "refund", 3L));
        assertThat(types(store.claimDue(order(6, THIRD, OTHER, StoreFixture.DEFINITION))))
                .isEqualTo(Map.of("order", 6L));
        assertThat(types(store.claimDue(order(1, StoreFixture.DEFINITION, OTHER, THIRD))))
                .isEqualTo(Map.of("order", 1L));
    }

    private static Map<String, Long> types(List<Claimed> claimed) {
        return claimed.stream().collect(Collectors.groupingBy(one -> one.saga().typeName(), Collectors.counting()));
    }

    /** What is locked but not claimed would be hidden from the others for a moment. */
    @Test
    void nothing_is_locked_that_is_not_claimed() throws SQLException {
        fill(StoreFixture.DEFINITION, "RUNNING", -100, 20);
        fill(OTHER, "RUNNING", -100, 20);
        SagaTables tables = SagaTables.in(StoreFixture.SCHEMA);
        try (Connection first = database.dataSource().getConnection();
                Connection second = database.dataSource().getConnection()) {
            first.setAutoCommit(false);
            second.setAutoCommit(false);
            SagaClaims claims = new SagaClaims(tables);
            assertThat(claims.claimDue(first, order(1, StoreFixture.DEFINITION, OTHER), 1))
                    .hasSize(1);
            assertThat(claims.claimDue(second, order(39, StoreFixture.DEFINITION, OTHER), 39))
                    .hasSize(39);
            first.rollback();
            second.rollback();
        }
    }

    /** B71, and: the cost of a tick does not grow with what is finished, parked or not known here. */
    @Test
    void thirty_polls_on_one_connection_read_the_index_and_little_of_it() throws SQLException {
        fill(StoreFixture.DEFINITION, "COMPLETED", 0, 20_000);
        fill(StoreFixture.DEFINITION, "RUNNING", 3600, 5_000);
        fill(OTHER, "RUNNING", -3600, 5_000);
        fill(StoreFixture.DEFINITION, "RUNNING", -60, 60);
        Sql.execute(database.dataSource(), StoreFixture.sql("ANALYZE {saga}"));
        try (Connection one = database.dataSource().getConnection()) {
            SagaStore store = StoreFixture.store(Unclosed.dataSource(one));
            Counters before = Counters.read(one);
            for (int poll = 0; poll < 30; poll++) {
                assertThat(store.claimDue(order(1, StoreFixture.DEFINITION, THIRD)))
                        .hasSize(1);
            }
            Counters after = Counters.read(one);

            assertThat(after.seqScans()).isEqualTo(before.seqScans());
            assertThat(after.dueScans() - before.dueScans()).isGreaterThanOrEqualTo(30);
            // dead entries of what was claimed before are met again; finished, parked and unknown ones are not
            assertThat(after.dueRead() - before.dueRead()).isLessThan(30 * 70);
        }
    }

    private record Counters(long seqScans, long dueScans, long dueRead) {
        /** On the connection that did the work, so that what it counted is counted in. */
        static Counters read(Connection connection) {
            Sql.rows(connection, "SELECT pg_stat_force_next_flush()");
            Sql.rows(connection, "SELECT pg_stat_clear_snapshot()");
            Map<String, Object> row = Sql.rows(connection, """
                            SELECT t.seq_scan, i.idx_scan, i.idx_tup_read FROM pg_stat_user_tables t
                            JOIN pg_stat_user_indexes i ON i.relid = t.relid AND i.indexrelname = 'saga_due'""").get(0);
            return new Counters((Long) row.get("seq_scan"), (Long) row.get("idx_scan"), (Long) row.get("idx_tup_read"));
        }
    }

    /** Eight workers on two nodes, 8,000 due sagas: each is claimed once, and nothing is wasted on a busy neighbour. */
    @ParameterizedTest
    @ValueSource(strings = {"read committed", "repeatable read"})
    void a_crowd_claims_everything_once(String isolation) {
        int number = isolation.equals("read committed") ? 8_000 : 800;
        fill(StoreFixture.DEFINITION, "RUNNING", -60, number);
        List<SagaStore> nodes = List.of(StoreFixture.store(pool(isolation)), StoreFixture.store(pool(isolation)));
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<CompletableFuture<List<UUID>>> workers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            SagaStore node = nodes.get(i % 2);
            workers.add(CompletableFuture.supplyAsync(() -> claimAll(node), threads));
        }

        List<UUID> claimed =
                workers.stream().flatMap(worker -> worker.join().stream()).toList();
        threads.shutdown();

        assertThat(claimed).hasSize(number).doesNotHaveDuplicates();
        assertThat(count("run_seq = 1 AND owner IS NOT NULL")).isEqualTo(number);
    }

    private DataSource pool(String isolation) {
        PGSimpleDataSource source = database.dataSource();
        source.setOptions("-c default_transaction_isolation=" + isolation.replace(" ", "\\ "));
        return database.pool(4, config -> config.setDataSource(source));
    }

    private static List<UUID> claimAll(SagaStore node) {
        List<UUID> all = new ArrayList<>();
        List<Claimed> some;
        do {
            some = node.claimDue(StoreFixture.order(StoreFixture.NODE, 20));
            some.forEach(claimed -> all.add(claimed.saga().sagaId()));
        } while (!some.isEmpty());
        return all;
    }
}
