package io.holdfast.saga.jdbc.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.saga.RetriableStep;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.StepRejectedException;
import io.holdfast.saga.jdbc.BusinessTable;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.JdbcSteps;
import io.holdfast.saga.jdbc.RowId;
import io.holdfast.saga.jdbc.Schema;
import io.holdfast.saga.jdbc.testing.Fixtures;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.StatementCut;
import io.holdfast.saga.jdbc.testing.TcpProxy;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers that are changed by deltas, on a running engine. */
@PostgresTest
class CounterTest {
    /** The data. */
    record Take(String sku, @Nullable BigDecimal amount, boolean fails) {}

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final SagaType<Take> TYPE = SagaType.of("take", 1, Take.class);
    private static final JdbcSteps<Take> STEPS = JdbcSteps.of(Take.class);
    private static final BusinessTable STOCK = BusinessTable.of("stock").idColumn("sku");

    private final TestDatabase database;
    private final DataSource dataSource;
    private final List<AutoCloseable> opened = new ArrayList<>();

    CounterTest(TestDatabase database) {
        this.database = database;
        this.dataSource = database.dataSource();
    }

    @BeforeEach
    void tables() {
        Schema.migrate(dataSource, Schema.DEFAULT_NAME);
        Fixtures.install(dataSource, Fixtures.STOCK);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    private static Counter<Take> stock() {
        return STEPS.counter(STOCK, "qty", Take::sku);
    }

    /** Takes, and then completes or turns back as the data says. */
    private static SagaDefinition<Take> taking(Counter<Take> counter) {
        return SagaDefinition.builder(TYPE)
                .step(counter.subtract("take", Take::amount))
                .step(STEPS.external("decide", ctx -> {
                            if (ctx.data().fails()) {
                                throw new StepRejectedException("turns back");
                            }
                        })
                        .noCompensation("decides only"))
                .build();
    }

    private static SagaDefinition<Take> adding(RetriableStep<Take> add) {
        return SagaDefinition.builder(TYPE).pivot(add).build();
    }

    private JdbcSagas run(SagaDefinition<Take> definition) {
        return run(database.pool(12), definition);
    }

    private JdbcSagas run(HikariDataSource pool, SagaDefinition<Take> definition) {
        JdbcSagas sagas = JdbcSagas.builder(pool)
                .register(definition)
                .capacity(8)
                .reapEvery(Duration.ofMinutes(10))
                .build();
        opened.add(sagas);
        return sagas;
    }

    private static SagaHandle start(JdbcSagas sagas, String key, @Nullable String amount, boolean fails) {
        BigDecimal number = amount == null ? null : new BigDecimal(amount);
        return sagas.start(TYPE, key, new Take("a", number, fails));
    }

    private static SagaState end(SagaHandle saga) {
        return saga.await(SOON).orElseThrow().state();
    }

    private static String error(SagaHandle saga) {
        return saga.snapshot().orElseThrow().lastError().orElseThrow();
    }

    private String qty() {
        return Sql.value(dataSource, String.class, "SELECT qty::text FROM stock WHERE sku = 'a'");
    }

    private void sql(String sql) {
        Sql.execute(dataSource, sql);
    }

    private long count(String kind) {
        return Sql.value(dataSource, Long.class, "SELECT count(*) FROM holdfast.saga_log WHERE kind = ?", kind);
    }

    @Test
    void what_is_taken_is_gone_and_what_is_undone_is_back() {
        JdbcSagas sagas = run(taking(stock()));
        assertThat(end(start(sagas, "kept", "3", false))).isEqualTo(SagaState.COMPLETED);
        assertThat(qty()).isEqualTo("7");
        assertThat(end(start(sagas, "undone", "2", true))).isEqualTo(SagaState.COMPENSATED);
        assertThat(qty()).isEqualTo("7");
        assertThat(end(start(sagas, "nothing", "0", true))).isEqualTo(SagaState.COMPENSATED);
        assertThat(qty()).isEqualTo("7");
    }

    @Test
    @DisplayName("B42: an undo adds what was taken, and does not restore what was there")
    void anUndoIsADeltaToo() {
        JdbcSagas sagas = run(SagaDefinition.builder(TYPE)
                .step(stock().subtract("take", Take::amount))
                .step(STEPS.external("sell", ctx -> {
                            sql("UPDATE stock SET qty = qty - 2 WHERE sku = 'a'");
                            throw new StepRejectedException("turns back");
                        })
                        .noCompensation("somebody else's"))
                .build());
        assertThat(end(start(sagas, "k", "3", true))).isEqualTo(SagaState.COMPENSATED);
        assertThat(qty()).isEqualTo("8");
    }

    @Test
    void a_floor_is_a_business_failure_that_says_what_was_there() {
        JdbcSagas sagas = run(taking(stock().floor(new BigDecimal(4))));
        assertThat(end(start(sagas, "just", "6", false))).isEqualTo(SagaState.COMPLETED);
        SagaHandle refused = start(sagas, "more", "1", false);
        assertThat(end(refused)).isEqualTo(SagaState.COMPENSATED);
        assertThat(error(refused)).contains("SAGA-408", "qty is 4", "taking 1", "floor of 4");
        assertThat(qty()).isEqualTo("4");
        assertThat(count("STEP_FAILED")).isZero();
    }

    @Test
    void a_ceiling_stops_what_is_added_and_nothing_else() {
        JdbcSagas sagas = run(adding(stock().ceiling(new BigDecimal(12)).add("add", Take::amount)));
        assertThat(end(start(sagas, "just", "2", false))).isEqualTo(SagaState.COMPLETED);
        SagaHandle refused = start(sagas, "more", "1", false);
        assertThat(end(refused)).isEqualTo(SagaState.COMPENSATED);
        assertThat(error(refused)).contains("SAGA-408", "ceiling of 12");
        assertThat(qty()).isEqualTo("12");
    }

    @Test
    void an_undo_minds_no_ceiling() {
        sql("UPDATE stock SET qty = 12");
        JdbcSagas sagas = run(taking(stock().ceiling(new BigDecimal(5))));
        assertThat(end(start(sagas, "k", "3", true))).isEqualTo(SagaState.COMPENSATED);
        assertThat(qty()).isEqualTo("12");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("B48: of fifty who want the last one, one gets it; the others fail once and give nothing back")
    void theLastOne(boolean checked) {
        sql("UPDATE stock SET qty = 1 WHERE sku = 'a'");
        Counter<Take> counter = stock();
        if (!checked) {
            sql("ALTER TABLE stock DROP CONSTRAINT stock_qty_check");
            counter = counter.floor(BigDecimal.ZERO);
        }
        JdbcSagas sagas = run(SagaDefinition.builder(TYPE)
                .step(counter.subtract("take", Take::amount))
                .step(STEPS.external("wait", ctx -> {}).noCompensation("none"))
                .build());
        List<SagaHandle> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            all.add(start(sagas, "k" + i, "1", false));
        }
        List<SagaState> ends = all.stream().map(CounterTest::end).toList();
        assertThat(ends).filteredOn(SagaState.COMPLETED::equals).hasSize(1);
        assertThat(ends).filteredOn(SagaState.COMPENSATED::equals).hasSize(49);
        assertThat(qty()).isEqualTo("0");
        assertThat(count("STEP_FAILED")).isZero();
        assertThat(count("STEP_REJECTED")).isEqualTo(49);
        assertThat(count("STEP_UNDONE")).isZero();
    }

    @Test
    @DisplayName("B48: overflow is a business failure, forward and as a pivot, and changes nothing")
    void overflow() {
        sql("UPDATE stock SET qty = 2147483640 WHERE sku = 'a'");
        JdbcSagas sagas = run(adding(stock().add("add", Take::amount)));
        SagaHandle refused = start(sagas, "k", "2147483647", false);
        assertThat(end(refused)).isEqualTo(SagaState.COMPENSATED);
        assertThat(error(refused)).contains("SAGA-412", "22003");
        assertThat(count("STEP_FAILED")).isZero();
        assertThat(qty()).isEqualTo("2147483640");
    }

    @Test
    void a_constraint_in_the_way_of_an_undo_leaves_the_saga_stuck_with_the_reason() {
        JdbcSagas sagas = run(SagaDefinition.builder(TYPE)
                .step(stock().subtract("take", Take::amount))
                .step(STEPS.external("cap", ctx -> {
                            sql("ALTER TABLE stock ADD CHECK (qty < 9)");
                            throw new StepRejectedException("turns back");
                        })
                        .noCompensation("somebody else's"))
                .build());
        SagaHandle saga = start(sagas, "k", "3", true);
        sql("UPDATE stock SET qty = 5 WHERE sku = 'b'");
        assertThat(end(saga)).isEqualTo(SagaState.STUCK);
        assertThat(error(saga)).contains("SAGA-412", "23514");
        assertThat(qty()).isEqualTo("7");
    }

    @Test
    void a_row_that_is_gone_leaves_an_undo_stuck() {
        JdbcSagas sagas = run(SagaDefinition.builder(TYPE)
                .step(stock().subtract("take", Take::amount))
                .step(STEPS.external("delete", ctx -> {
                            sql("DELETE FROM stock WHERE sku = 'a'");
                            throw new StepRejectedException("turns back");
                        })
                        .noCompensation("somebody else's"))
                .build());
        SagaHandle saga = start(sagas, "k", "3", true);
        assertThat(end(saga)).isEqualTo(SagaState.STUCK);
        assertThat(error(saga)).contains("SAGA-402");
    }

    @Test
    void a_missing_row_and_a_null_value_are_told_apart() {
        sql("ALTER TABLE stock ALTER qty DROP NOT NULL; UPDATE stock SET qty = NULL WHERE sku = 'a'");
        JdbcSagas sagas = run(taking(stock()));
        SagaHandle ofNull = start(sagas, "null", "1", false);
        assertThat(end(ofNull)).isEqualTo(SagaState.COMPENSATED);
        assertThat(error(ofNull)).contains("SAGA-412", "qty is null");
        SagaHandle missing = sagas.start(TYPE, "missing", new Take("z", BigDecimal.ONE, false));
        assertThat(end(missing)).isEqualTo(SagaState.COMPENSATED);
        assertThat(error(missing)).contains("SAGA-402");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "null",
            value = {"null", "-1", "-0.01"})
    void an_amount_below_zero_is_none(@Nullable String amount) {
        JdbcSagas sagas = run(taking(stock()));
        SagaHandle saga = start(sagas, "k", amount, false);
        assertThat(end(saga)).isEqualTo(SagaState.COMPENSATED);
        assertThat(error(saga)).contains("SAGA-407");
        assertThat(qty()).isEqualTo("10");
        assertThat(count("STEP_FAILED")).isZero();
    }

    @ParameterizedTest
    @CsvSource({"smallint,0.5", "int,0.5", "bigint,1.000001", "'numeric(12,2)',0.005"})
    void an_amount_that_the_column_would_round_is_refused(String type, String amount) {
        sql("ALTER TABLE stock ALTER qty TYPE " + type);
        JdbcSagas sagas = run(taking(stock()));
        SagaHandle saga = start(sagas, "k", amount, false);
        assertThat(end(saga)).isEqualTo(SagaState.COMPENSATED);
        assertThat(error(saga)).contains("SAGA-412", "rounds");
        assertThat(end(start(sagas, "whole", "4.00", false))).isEqualTo(SagaState.COMPLETED);
        assertThat(new BigDecimal(qty())).isEqualByComparingTo("6");
    }

    @Test
    void a_trigger_that_changes_the_number_is_noticed() {
        sql("""
                CREATE FUNCTION meddle() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN NEW.qty := NEW.qty + 1; RETURN NEW; END $$;
                CREATE TRIGGER meddle BEFORE UPDATE ON stock FOR EACH ROW EXECUTE FUNCTION meddle();
                """);
        JdbcSagas sagas = run(taking(stock()));
        SagaHandle saga = start(sagas, "k", "3", false);
        assertThat(end(saga)).isEqualTo(SagaState.COMPENSATED);
        assertThat(error(saga)).contains("SAGA-412", "it became 8");
        assertThat(qty()).isEqualTo("10");
    }

    @Test
    @DisplayName("B09: a delta whose COMMIT answer was lost is applied once, forward and backward")
    void aLostAnswer() {
        for (int commit = 1; commit <= 2; commit++) {
            try (TcpProxy network = TcpProxy.to(database)) {
                JdbcSagas sagas = run(database.via(network).pool(8), taking(stock()));
                StatementCut cut = network.cutAfterCommitIsForwarded(1);
                assertThat(end(start(sagas, "kept" + commit, "1", commit == 2)))
                        .isEqualTo(commit == 2 ? SagaState.COMPENSATED : SagaState.COMPLETED);
                cut.awaitHappened();
                assertThat(qty()).isEqualTo("9");
            }
        }
        assertThat(count("STEP_UNDONE")).isEqualTo(1);
    }

    @Test
    void keys_of_several_columns_and_quoted_names_are_fine() {
        sql("""
                CREATE SCHEMA "My Shop";
                CREATE TABLE "My Shop"."Stock" (tenant int, sku text, "Qty ""x\""" numeric(10,3), PRIMARY KEY (tenant, sku));
                INSERT INTO "My Shop"."Stock" VALUES (1, 'a', 10), (2, 'a', 10);
                """);
        BusinessTable table = BusinessTable.of("My Shop", "Stock").idColumns("tenant", "sku");
        JdbcSagas sagas = run(taking(STEPS.counter(table, "Qty \"x\"", take -> RowId.of(2, take.sku()))));
        assertThat(end(start(sagas, "k", "0.125", false))).isEqualTo(SagaState.COMPLETED);
        assertThat(Sql.value(
                        dataSource,
                        String.class,
                        "SELECT string_agg(\"Qty \"\"x\"\"\"::text, ' ' ORDER BY tenant) FROM \"My Shop\".\"Stock\""))
                .isEqualTo("10.000 9.875");
    }

    @ParameterizedTest
    @ValueSource(strings = {"real", "double precision", "money", "text"})
    void a_column_that_does_not_add_up_exactly_is_refused_at_registration(String type) {
        sql("ALTER TABLE stock DROP CONSTRAINT stock_qty_check; ALTER TABLE stock ALTER qty TYPE " + type
                + " USING '1'");
        assertThatThrownBy(() -> run(taking(stock())))
                .isInstanceOf(SagaDefinitionException.class)
                .hasMessageContaining("SAGA-120")
                .hasMessageContaining("adds up exactly");
    }

    @Test
    void a_column_that_is_not_there_or_computed_is_refused_at_registration() {
        assertThatThrownBy(() -> run(taking(STEPS.counter(STOCK, "quantity", Take::sku))))
                .hasMessageContaining("SAGA-120");
        sql("ALTER TABLE stock ADD twice int GENERATED ALWAYS AS (qty * 2) STORED");
        assertThatThrownBy(() -> run(taking(STEPS.counter(STOCK, "twice", Take::sku))))
                .hasMessageContaining("SAGA-120");
    }

    @Test
    void limits_names_and_nulls_are_refused_where_they_are_given() {
        BigDecimal five = new BigDecimal(5);
        assertThatThrownBy(() -> stock().floor(five).ceiling(BigDecimal.ONE)).hasMessageContaining("SAGA-126");
        assertThatThrownBy(() -> stock().floor(null)).hasMessageContaining("SAGA-106");
        assertThatThrownBy(() -> stock().ceiling(null)).hasMessageContaining("SAGA-106");
        assertThatThrownBy(() -> stock().subtract(" ", Take::amount)).hasMessageContaining("SAGA-101");
        assertThatThrownBy(() -> stock().add("add", null)).hasMessageContaining("SAGA-106");
        assertThatThrownBy(() -> STEPS.counter(STOCK, " ", Take::sku)).hasMessageContaining("SAGA-120");
        assertThatThrownBy(() -> STEPS.counter(STOCK, "qty\u0000", Take::sku)).hasMessageContaining("SAGA-120");
        assertThatThrownBy(() -> STEPS.counter(null, "qty", Take::sku)).hasMessageContaining("SAGA-106");
        assertThatThrownBy(() -> STEPS.counter(STOCK, "qty", null)).hasMessageContaining("SAGA-106");
    }
}
