package io.holdfast.saga.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.StepRejectedException;
import io.holdfast.saga.jdbc.BusinessTable;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.JdbcSteps;
import io.holdfast.saga.jdbc.Schema;
import io.holdfast.saga.jdbc.testing.Fixtures;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What readers see of rows that sagas work on. */
@PostgresTest
class SettledReadsTest {
    /** The data. */
    record Order(long id) {}

    private static final SagaType<Order> TYPE = SagaType.of("order", 1, Order.class);
    private static final JdbcSteps<Order> STEPS = JdbcSteps.of(Order.class);
    private static final BusinessTable ORDERS = BusinessTable.of("orders");
    private static final SemanticLock<Order> LOCK =
            STEPS.lock(ORDERS, Order::id).from("NEW").pending("IN WORK");
    private static final Table<?> TABLE = DSL.table(DSL.name("public", "orders"));
    private static final Field<Long> ID = DSL.field(DSL.name("id"), Long.class);

    /** 1 is free, 2 held, 3 pending without a holder, 4 without a status, 5 held for too long, 6 held with another status. */
    private static final String ROWS = """
            ALTER TABLE orders ALTER status DROP NOT NULL;
            DELETE FROM orders WHERE id > 6;
            UPDATE orders SET status = 'IN WORK', saga_id = gen_random_uuid(), locked_until = now() + interval '1 hour' WHERE id = 2;
            UPDATE orders SET status = 'IN WORK' WHERE id = 3;
            UPDATE orders SET status = NULL WHERE id = 4;
            UPDATE orders SET status = 'IN WORK', saga_id = gen_random_uuid(), locked_until = now() - interval '1 hour' WHERE id = 5;
            UPDATE orders SET status = 'DONE', saga_id = gen_random_uuid() WHERE id = 6;
            """;

    private final TestDatabase database;
    private final DataSource dataSource;
    private final DSLContext dsl;

    SettledReadsTest(TestDatabase database) {
        this.database = database;
        this.dataSource = database.dataSource();
        this.dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
    }

    @BeforeEach
    void tables() {
        Schema.migrate(dataSource, Schema.DEFAULT_NAME);
        Fixtures.install(dataSource, Fixtures.ORDERS);
    }

    private List<Long> ids(Condition condition) {
        return dsl.select(ID).from(TABLE).where(condition).orderBy(ID).fetch(ID);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text", "varchar(20)", "mood"})
    void a_row_is_settled_when_nobody_holds_it_and_it_is_not_pending(String type) {
        Sql.execute(dataSource, ROWS);
        Sql.execute(
                dataSource,
                "CREATE TYPE mood AS ENUM ('NEW', 'IN WORK', 'DONE'); ALTER TABLE orders ALTER status DROP DEFAULT");
        Sql.execute(dataSource, "ALTER TABLE orders ALTER status TYPE " + type + " USING status::" + type);

        assertThat(ids(LOCK.settled())).containsExactly(1L, 4L);
        assertThat(ids(DSL.condition(LOCK.inFlight()))).containsExactly(2L, 3L, 5L, 6L);
        assertThat(ids(ORDERS.settled())).containsExactly(1L, 3L, 4L);
        Sql.execute(dataSource, LOCK.settledView("orders_settled"));
        assertThat(Sql.rows(dataSource, "SELECT id FROM orders_settled ORDER BY id"))
                .containsExactly(Map.of("id", 1L), Map.of("id", 4L));
        Sql.execute(dataSource, LOCK.flaggedView("public", "orders \"flagged\""));
        assertThat(Sql.rows(
                        dataSource, "SELECT id, total, in_flight FROM \"orders \"\"flagged\"\"\" WHERE NOT in_flight"))
                .hasSize(2);
    }

    @Test
    void a_condition_works_in_joins_and_under_an_alias() {
        Sql.execute(dataSource, ROWS);
        Field<Long> mine = DSL.field(DSL.name("o", "id"), Long.class);
        assertThat(dsl.select(mine)
                        .from(TABLE.as("o"))
                        .join(TABLE)
                        .on(mine.eq(DSL.field(DSL.name("public", "orders", "id"), Long.class)))
                        .where(LOCK.settledAs("o"))
                        .and(LOCK.settled())
                        .orderBy(mine)
                        .fetch(mine))
                .containsExactly(1L, 4L);
        assertThatThrownBy(() -> LOCK.settledAs(" ")).hasMessageContaining("SAGA-120");
        assertThatThrownBy(() -> LOCK.settledView()).hasMessageContaining("SAGA-120");
        assertThatThrownBy(() -> LOCK.flaggedView("x\u0000")).hasMessageContaining("SAGA-120");
    }

    @Test
    void hostile_names_and_statuses_stay_names_and_statuses() {
        Sql.execute(dataSource, "ALTER TABLE orders RENAME status TO \"st\"\"; DROP TABLE orders; --\"");
        SemanticLock<Order> hostile = STEPS.lock(ORDERS.statusColumn("st\"; DROP TABLE orders; --"), Order::id)
                .pending("'; DROP TABLE orders; --");
        assertThat(ids(hostile.settled())).hasSize(20);
        Sql.execute(dataSource, hostile.settledView("v\"; DROP TABLE orders; --"));
        assertThat(Sql.value(dataSource, Long.class, "SELECT count(*) FROM orders"))
                .isEqualTo(20);
    }

    @Test
    void a_partial_index_on_the_holder_finds_what_is_in_flight() {
        Sql.execute(dataSource, """
                INSERT INTO orders (id) SELECT generate_series(100, 20000);
                UPDATE orders SET saga_id = gen_random_uuid() WHERE id % 2000 = 0;
                CREATE INDEX held ON orders (saga_id) WHERE saga_id IS NOT NULL;
                ANALYZE orders;
                """);
        String plan = dsl.explain(dsl.select(ID).from(TABLE).where(DSL.not(ORDERS.settled())))
                .plan();
        assertThat(plan).contains("held");
    }

    @Test
    @DisplayName("a dirty read: without the condition a reader takes for settled what is undone later; with it never")
    void aDirtyRead() throws InterruptedException {
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        String naive = "SELECT count(*) FROM orders WHERE id = 1 AND status <> 'NEW'"; // what was sold
        try (JdbcSagas sagas = JdbcSagas.builder(database.pool(4))
                .register(SagaDefinition.builder(TYPE)
                        .step(LOCK.claim("claim"))
                        .step(STEPS.external("work", ctx -> {
                                    working.countDown();
                                    goOn.await();
                                    throw new StepRejectedException("turns back");
                                })
                                .noCompensation("none"))
                        .pivot(LOCK.release("release", "DONE"))
                        .build())
                .build()) {
            assertThat(ids(LOCK.settled())).contains(1L);
            SagaHandle saga = sagas.start(TYPE, "k", new Order(1));
            assertThat(working.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(Sql.value(dataSource, Long.class, naive)).isOne();
            assertThat(ids(LOCK.settled())).doesNotContain(1L);
            goOn.countDown();
            assertThat(saga.await(Duration.ofSeconds(30)).orElseThrow().state()).isEqualTo(SagaState.COMPENSATED);
            assertThat(Sql.value(dataSource, Long.class, naive)).isZero();
            assertThat(ids(LOCK.settled())).contains(1L);
        }
    }
}
