package io.holdfast.saga.jdbc.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.StepRejectedException;
import io.holdfast.saga.jdbc.BusinessTable;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.JdbcSteps;
import io.holdfast.saga.jdbc.Schema;
import io.holdfast.saga.jdbc.testing.Fixtures;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Edits of order 1, on a running engine. */
@PostgresTest
class VersionedEditTest {
    /** The data. */
    record Edit(@Nullable Long version, boolean fails) {}

    /** What a step reads first. */
    record Seen(@Nullable Instant version) {}

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final SagaType<Edit> TYPE = SagaType.of("edit", 1, Edit.class);
    private static final JdbcSteps<Edit> STEPS = JdbcSteps.of(Edit.class);
    private static final StepKey<Seen> SEEN = StepKey.of("see", Seen.class);
    private static final BusinessTable ORDERS = BusinessTable.of("orders");

    private final DataSource dataSource;
    private final DataSource pool;
    private final List<JdbcSagas> opened = new ArrayList<>();

    VersionedEditTest(TestDatabase database) {
        this.dataSource = database.dataSource();
        this.pool = database.pool(8);
    }

    @BeforeEach
    void tables() {
        Schema.migrate(dataSource, Schema.DEFAULT_NAME);
        Fixtures.install(dataSource, Fixtures.ORDERS);
    }

    @AfterEach
    void close() {
        opened.forEach(JdbcSagas::close);
    }

    private static VersionedEdit<Edit> total(String to) {
        return STEPS.edit(ORDERS, edit -> 1L, ctx -> ctx.data().version()).set("total", ctx -> new BigDecimal(to));
    }

    private SagaHandle run(VersionedEdit<Edit> edit, @Nullable Long version) {
        return run(edit, version, false, "SELECT 1");
    }

    /** Edits; then somebody else runs a statement; then the saga completes or turns back. */
    private SagaHandle run(VersionedEdit<Edit> edit, @Nullable Long version, boolean fails, String meanwhile) {
        return start(
                SagaDefinition.builder(TYPE)
                        .step(edit.apply("edit"))
                        .step(STEPS.external("decide", ctx -> {
                                    sql(meanwhile);
                                    if (ctx.data().fails()) {
                                        throw new StepRejectedException("turns back");
                                    }
                                })
                                .noCompensation("decides only"))
                        .build(),
                new Edit(version, fails));
    }

    private SagaHandle start(SagaDefinition<Edit> definition, Edit data) {
        JdbcSagas sagas = JdbcSagas.builder(pool)
                .register(definition)
                .capacity(2)
                .reapEvery(Duration.ofMinutes(10))
                .build();
        opened.add(sagas);
        return sagas.start(TYPE, "k" + opened.size(), data);
    }

    private static SagaState end(SagaHandle saga) {
        return saga.await(SOON).orElseThrow().state();
    }

    private static String error(SagaHandle saga) {
        return saga.snapshot().orElseThrow().lastError().orElseThrow();
    }

    private String order(String expression) {
        return Sql.value(dataSource, String.class, "SELECT (" + expression + ")::text FROM orders WHERE id = 1");
    }

    private void sql(String sql) {
        Sql.execute(dataSource, sql);
    }

    private long count(String kind) {
        return Sql.value(dataSource, Long.class, "SELECT count(*) FROM holdfast.saga_log WHERE kind = ?", kind);
    }

    @Test
    void the_version_that_was_read_is_edited_and_raised() {
        assertThat(end(run(total("12"), 0L))).isEqualTo(SagaState.COMPLETED);
        assertThat(order("total || ' ' || version")).isEqualTo("12.00 1");
    }

    @Test
    void another_version_is_a_conflict_and_no_failure_to_be_retried() {
        sql("UPDATE orders SET version = 4, total = 40");
        SagaHandle saga = run(total("12"), 3L);
        assertThat(end(saga)).isEqualTo(SagaState.COMPENSATED);
        assertThat(error(saga)).contains("SAGA-409", "was 3 and is 4");
        assertThat(order("total || ' ' || version")).isEqualTo("40.00 4");
        assertThat(count("STEP_FAILED")).isZero();
    }

    @Test
    void by_policy_the_values_are_made_from_the_row_as_it_is() {
        sql("UPDATE orders SET version = 4, total = 40");
        VersionedEdit<Edit> more = STEPS.edit(
                        ORDERS, edit -> 1L, ctx -> ctx.data().version())
                .set("total", ctx -> ctx.current("total", BigDecimal.class).add(BigDecimal.ONE))
                .whenChanged(WhenChanged.REREAD);
        assertThat(end(run(more, 3L))).isEqualTo(SagaState.COMPLETED);
        assertThat(order("total || ' ' || version")).isEqualTo("41.00 5");
    }

    @Test
    void only_columns_that_are_set_can_be_asked_for() {
        VersionedEdit<Edit> wrong =
                STEPS.edit(ORDERS, edit -> 1L, ctx -> 0L).set("total", ctx -> ctx.current("status", String.class));
        SagaHandle saga = run(wrong, 0L);
        assertThat(end(saga)).isEqualTo(SagaState.COMPENSATED);
        assertThat(error(saga)).contains("SAGA-203");
    }

    @Test
    void an_undo_writes_the_former_values_under_a_version_of_its_own() {
        sql("ALTER TABLE orders ALTER status DROP NOT NULL");
        assertThat(end(run(total("12").set("status", ctx -> null), 0L, true, "SELECT 1")))
                .isEqualTo(SagaState.COMPENSATED);
        assertThat(order("total || ' ' || version || ' ' || status")).isEqualTo("10.00 2 NEW");
    }

    @Test
    @DisplayName("B42: an undo does not overwrite a newer change; the saga is stuck and says which versions")
    void anUndoRefusesToOverwrite() {
        SagaHandle saga =
                run(total("12"), 0L, true, "UPDATE orders SET total = 20, version = version + 1 WHERE id = 1");
        assertThat(end(saga)).isEqualTo(SagaState.STUCK);
        assertThat(error(saga)).contains("SAGA-409", "version 1", "now it is 2", "total");
        assertThat(order("total || ' ' || version")).isEqualTo("20.00 2");
    }

    @Test
    void an_undo_without_its_row_is_stuck() {
        SagaHandle saga = run(total("12"), 0L, true, "DELETE FROM orders WHERE id = 1");
        assertThat(end(saga)).isEqualTo(SagaState.STUCK);
        assertThat(error(saga)).contains("SAGA-402");
    }

    @Test
    void a_missing_row_and_a_refused_value_are_business_failures() {
        SagaHandle missing = run(STEPS.edit(ORDERS, edit -> 99L, ctx -> 0L).set("total", ctx -> 1), 0L);
        assertThat(end(missing)).isEqualTo(SagaState.COMPENSATED);
        assertThat(error(missing)).contains("SAGA-402");
        SagaHandle tooMuch = run(total("99999999999"), 0L);
        assertThat(end(tooMuch)).isEqualTo(SagaState.COMPENSATED);
        assertThat(error(tooMuch)).contains("SAGA-412", "22003");
        SagaHandle object = run(STEPS.edit(ORDERS, edit -> 1L, ctx -> 0L).set("total", ctx -> List.of()), 0L);
        assertThat(end(object)).isEqualTo(SagaState.COMPENSATED);
        assertThat(error(object)).contains("SAGA-407");
        assertThat(count("STEP_FAILED")).isZero();
        assertThat(order("total || ' ' || version")).isEqualTo("10.00 0");
    }

    @Test
    @DisplayName("B49: a version that is NULL is one that can be read, edited and undone")
    void nullVersions() {
        sql("ALTER TABLE orders ALTER version DROP NOT NULL; UPDATE orders SET version = NULL");
        SagaHandle stale = run(total("12"), 0L);
        assertThat(end(stale)).isEqualTo(SagaState.COMPENSATED);
        assertThat(error(stale)).contains("was 0 and is null");
        assertThat(end(run(total("12"), null, true, "SELECT 1"))).isEqualTo(SagaState.COMPENSATED);
        assertThat(order("total || ' ' || version")).isEqualTo("10.00 2");
        SagaHandle late = run(total("12"), null);
        assertThat(end(late)).isEqualTo(SagaState.COMPENSATED);
        assertThat(error(late)).contains("was null and is 2");
    }

    @Test
    void a_moment_is_a_version_too_and_two_edits_at_once_are_two_versions() {
        sql(
                "ALTER TABLE orders DROP version; ALTER TABLE orders ADD version timestamptz DEFAULT '2999-01-01 00:00:00.123456+00'");
        SagaHandle saga = start(
                SagaDefinition.builder(TYPE)
                        .step(STEPS.local(
                                        SEEN,
                                        ctx -> new Seen(ctx.dsl()
                                                .fetchSingle("select version from orders where id = 1")
                                                .get(0, OffsetDateTime.class)
                                                .toInstant()))
                                .noCompensation("reads"))
                        .step(STEPS.edit(
                                        ORDERS,
                                        edit -> 1L,
                                        ctx -> ctx.result(SEEN).version())
                                .set("total", ctx -> 12)
                                .apply("edit"))
                        .step(STEPS.external("turn-back", ctx -> {
                                    throw new StepRejectedException("turns back");
                                })
                                .noCompensation("none"))
                        .build(),
                new Edit(null, true));
        assertThat(end(saga)).isEqualTo(SagaState.COMPENSATED);
        assertThat(order("total || ' ' || (version AT TIME ZONE 'UTC')")).isEqualTo("10.00 2999-01-01 00:00:00.123458");
        assertThat(count("STEP_UNDONE")).isOne();
    }

    @Test
    void a_moment_finer_than_the_database_keeps_is_no_version() {
        sql("ALTER TABLE orders DROP version; ALTER TABLE orders ADD version timestamptz DEFAULT now()");
        SagaHandle saga = run(
                STEPS.edit(ORDERS, edit -> 1L, ctx -> Instant.parse("2026-01-01T00:00:00.123456789Z"))
                        .set("total", ctx -> 12),
                null);
        assertThat(end(saga)).isEqualTo(SagaState.COMPENSATED);
        assertThat(error(saga)).contains("SAGA-407", "microseconds");
    }

    @Test
    void a_trigger_may_raise_the_version_too_but_not_keep_it() {
        sql("""
                CREATE FUNCTION raise_version() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN NEW.version := OLD.version + 10; RETURN NEW; END $$;
                CREATE TRIGGER version BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION raise_version();
                """);
        assertThat(end(run(total("12"), 0L, true, "SELECT 1"))).isEqualTo(SagaState.COMPENSATED);
        assertThat(order("total || ' ' || version")).isEqualTo("10.00 20");
        sql("""
                CREATE OR REPLACE FUNCTION raise_version() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN NEW.version := OLD.version; RETURN NEW; END $$;
                """);
        SagaHandle kept = run(total("12"), 20L);
        assertThat(end(kept)).isEqualTo(SagaState.COMPENSATED);
        assertThat(error(kept)).contains("SAGA-412", "new version");
    }

    private static Stream<Arguments> values() {
        return Stream.of(
                Arguments.of(
                        "text", "'old \u20ac'", "\ud83d\ude00 'quoted' \\ \"x\"", "\ud83d\ude00 'quoted' \\ \"x\""),
                Arguments.of("text", "''", "", ""),
                Arguments.of("numeric(12,4)", "1.5000", new BigDecimal("2.50"), "2.5000"),
                Arguments.of("numeric", "1.500", new BigDecimal("1E+3"), "1000"),
                Arguments.of("int", "1", 7, "7"),
                Arguments.of("boolean", "true", false, "false"),
                Arguments.of(
                        "uuid",
                        "NULL",
                        UUID.fromString("00000000-0000-0000-0000-000000000001"),
                        "00000000-0000-0000-0000-000000000001"),
                Arguments.of("jsonb", "'{\"a\": [1, null]}'", "{\"b\": 2.50}", "{\"b\": 2.50}"),
                Arguments.of("date", "'2026-02-28'", LocalDate.of(2026, 3, 1), "2026-03-01"),
                Arguments.of(
                        "timestamp",
                        "'2026-02-28 01:02:03.000004'",
                        LocalDateTime.of(2026, 3, 1, 0, 0),
                        "2026-03-01 00:00:00"),
                Arguments.of("double precision", "0.1", 1.0E-7, "1e-07"),
                Arguments.of("text[]", "'{a,NULL,\"b c\"}'", "{x}", "{x}"),
                Arguments.of("bytea", "'\\x00ff'", "\\x01", "\\x01"),
                Arguments.of("mood", "'sad'", Mood.ok, "ok"),
                Arguments.of("text", "NULL", "x", "x"));
    }

    /** An enum of the database's, as one of Java's. */
    enum Mood {
        ok
    }

    @ParameterizedTest
    @MethodSource("values")
    void values_of_all_types_are_written_and_come_back(String type, String before, Object value, String after) {
        sql("CREATE TYPE mood AS ENUM ('sad', 'ok'); ALTER TABLE orders ADD \"a \"\"b\" " + type + " DEFAULT "
                + before);
        String former = order("\"a \"\"b\"");
        VersionedEdit<Edit> edit =
                STEPS.edit(ORDERS, one -> 1L, ctx -> ctx.data().version()).set("a \"b", ctx -> value);
        assertThat(end(run(edit, 0L))).isEqualTo(SagaState.COMPLETED);
        assertThat(order("\"a \"\"b\"")).isEqualTo(after);
        sql("UPDATE orders SET \"a \"\"b\" = " + before + ", version = 0");
        assertThat(end(run(edit, 0L, true, "SELECT 1"))).isEqualTo(SagaState.COMPENSATED);
        assertThat(order("\"a \"\"b\"")).isEqualTo(former);
        assertThat(order("version")).isEqualTo("2");
    }

    @ParameterizedTest
    @CsvSource({"timestamp", "numeric", "text"})
    void a_version_column_of_another_type_is_refused_at_registration(String type) {
        sql("ALTER TABLE orders DROP version; ALTER TABLE orders ADD version " + type);
        assertThatThrownBy(() -> run(total("12"), 0L))
                .isInstanceOf(SagaDefinitionException.class)
                .hasMessageContaining("SAGA-120")
                .hasMessageContaining("version");
    }

    @Test
    void columns_that_are_not_there_or_computed_are_refused_at_registration() {
        assertThatThrownBy(() -> run(STEPS.edit(ORDERS, edit -> 1L, ctx -> 0L).set("price", ctx -> 1), 0L))
                .hasMessageContaining("SAGA-120");
        sql("ALTER TABLE orders ADD twice numeric GENERATED ALWAYS AS (total * 2) STORED");
        assertThatThrownBy(() -> run(STEPS.edit(ORDERS, edit -> 1L, ctx -> 0L).set("twice", ctx -> 1), 0L))
                .hasMessageContaining("SAGA-120");
    }

    @Test
    void columns_names_and_nulls_are_refused_where_they_are_given() {
        VersionedEdit<Edit> edit = STEPS.edit(ORDERS, one -> 1L, ctx -> 0L);
        assertThatThrownBy(() -> edit.apply("edit")).hasMessageContaining("SAGA-127");
        assertThatThrownBy(() -> edit.set("total", ctx -> 1).set("total", ctx -> 2))
                .hasMessageContaining("SAGA-127");
        assertThatThrownBy(() -> edit.set("id", ctx -> 1)).hasMessageContaining("SAGA-127");
        assertThatThrownBy(() -> edit.set("version", ctx -> 1)).hasMessageContaining("SAGA-127");
        assertThatThrownBy(() -> edit.set(" ", ctx -> 1)).hasMessageContaining("SAGA-120");
        assertThatThrownBy(() -> edit.set("total", null)).hasMessageContaining("SAGA-106");
        assertThatThrownBy(() -> edit.whenChanged(null)).hasMessageContaining("SAGA-106");
        assertThatThrownBy(() -> edit.set("total", ctx -> 1).apply("")).hasMessageContaining("SAGA-101");
        assertThatThrownBy(() -> STEPS.edit(null, one -> 1L, ctx -> 0L)).hasMessageContaining("SAGA-106");
        assertThatThrownBy(() -> STEPS.edit(ORDERS, one -> 1L, null)).hasMessageContaining("SAGA-106");
    }
}
