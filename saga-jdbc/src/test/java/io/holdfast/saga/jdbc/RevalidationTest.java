package io.holdfast.saga.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.saga.ForwardBuilder;
import io.holdfast.saga.RetriableStep;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.StepFunction;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.jdbc.testing.Fixtures;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.SqlFailure;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** B47 and §5: what was read is read again, under locks, in the transaction that passes or begins the pivot. */
@PostgresTest
class RevalidationTest {
    /** The data. */
    record Order(long id, boolean skipsTheRead) {}

    /** What is read. */
    record Price(@Nullable BigDecimal total, long version) {}

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final SagaType<Order> TYPE = SagaType.of("order", 1, Order.class);
    private static final JdbcSteps<Order> STEPS = JdbcSteps.of(Order.class);
    private static final StepKey<Price> PRICE = StepKey.of("read-price", Price.class);
    private static final StepKey<Long> COUNT = StepKey.of("read-count", Long.class);
    private static final String READ = "select total, version from orders where id = 1";

    private final DataSource dataSource;
    private final AtomicInteger captured = new AtomicInteger();
    private final CountDownLatch hasRead = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private JdbcSagas sagas;

    RevalidationTest(TestDatabase database) {
        this.dataSource = database.pool(8);
    }

    @BeforeEach
    void tables() {
        Schema.migrate(dataSource, Schema.DEFAULT_NAME);
        Fixtures.install(dataSource, Fixtures.ORDERS);
    }

    @AfterEach
    void close() {
        if (sagas != null) {
            sagas.close();
        }
    }

    private static @Nullable Price price(LocalContext<Order> ctx) {
        return ctx.dsl().fetchOptional(READ).map(RevalidationTest::price).orElse(null);
    }

    private static Price price(Record row) {
        return new Price(row.get(0, BigDecimal.class), row.get(1, Long.class));
    }

    private RetriableStep<Order> external() {
        return STEPS.external("capture", ctx -> captured.incrementAndGet());
    }

    private RetriableStep<Order> local() {
        return STEPS.local("capture", ctx -> captured.incrementAndGet());
    }

    /** Reads, waits for the test, and captures. */
    private <R> SagaHandle start(
            StepKey<R> key, StepFunction<LocalContext<Order>, R> reader, RetriableStep<Order> pivot) {
        return start(key, reader, pivot, false);
    }

    private <R> SagaHandle start(
            StepKey<R> key, StepFunction<LocalContext<Order>, R> reader, RetriableStep<Order> pivot, boolean skips) {
        ForwardBuilder<Order> definition = SagaDefinition.builder(TYPE)
                .step(STEPS.read(key, reader).when(ctx -> !ctx.data().skipsTheRead()))
                .step(STEPS.external("authorize", ctx -> {
                            hasRead.countDown();
                            goOn.await();
                        })
                        .noCompensation("waits only"))
                .pivot(pivot)
                .revalidating(key);
        sagas = JdbcSagas.builder(dataSource)
                .register(definition.build())
                .reapEvery(Duration.ofMinutes(10))
                .build();
        return sagas.start(TYPE, "k", new Order(1, skips));
    }

    private void meanwhile(String sql) throws InterruptedException {
        assertThat(hasRead.await(30, TimeUnit.SECONDS)).isTrue();
        Sql.execute(dataSource, sql);
        goOn.countDown();
    }

    private static void assertTurnedBack(SagaHandle saga, String... why) {
        assertThat(saga.await(SOON).orElseThrow().state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(saga.snapshot().orElseThrow().lastError().orElseThrow()).contains(why);
    }

    @Test
    @DisplayName("B47: an external pivot is not called when what was read has changed, and the saga says what differs")
    void aChangeBeforeAnExternalPivot() throws InterruptedException {
        SagaHandle saga = start(PRICE, RevalidationTest::price, external());
        meanwhile("UPDATE orders SET total = 25, version = 2 WHERE id = 1");

        assertTurnedBack(
                saga,
                "SAGA-307",
                "\"read-price\" at /total was 10.00 and is 25.00",
                "\"read-price\" at /version was 0 and is 2");
        assertThat(captured).hasValue(0);
        assertThat(pivotsBegun()).isZero();
    }

    @Test
    @DisplayName("B47: a local pivot keeps nothing when what was read has changed")
    void aChangeBeforeALocalPivot() throws InterruptedException {
        SagaHandle saga = start(PRICE, RevalidationTest::price, local());
        meanwhile("UPDATE orders SET total = 25 WHERE id = 1");

        assertTurnedBack(saga, "SAGA-307");
        assertThat(captured).hasValue(0);
    }

    @Test
    void a_row_that_is_gone_is_a_difference() throws InterruptedException {
        SagaHandle saga = start(PRICE, RevalidationTest::price, external());
        meanwhile("DELETE FROM orders WHERE id = 1");

        assertTurnedBack(saga, "SAGA-307", "and is null");
    }

    @Test
    void what_is_the_same_lets_the_pivot_pass() throws InterruptedException {
        SagaHandle saga = start(PRICE, RevalidationTest::price, external());
        meanwhile("UPDATE orders SET total = 10.00, status = 'SEEN' WHERE id = 1");

        assertThat(saga.await(SOON).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
        assertThat(captured).hasValue(1);
    }

    @Test
    void null_is_remembered_like_any_value() throws InterruptedException {
        Sql.execute(dataSource, "ALTER TABLE orders ALTER total DROP NOT NULL; UPDATE orders SET total = NULL");
        SagaHandle saga = start(PRICE, RevalidationTest::price, external());
        meanwhile("UPDATE orders SET total = 0 WHERE id = 1");

        assertTurnedBack(saga, "at /total was", "and is 0.00");
    }

    @Test
    @DisplayName("B47: between the second read and the pivot's commit a writer waits")
    void aWriterWaitsForThePivot() throws InterruptedException {
        CountDownLatch inPivot = new CountDownLatch(1);
        CountDownLatch pivotGoesOn = new CountDownLatch(1);
        SagaHandle saga = start(PRICE, RevalidationTest::price, STEPS.local("capture", ctx -> {
            captured.incrementAndGet();
            inPivot.countDown();
            pivotGoesOn.await();
        }));
        meanwhile("SELECT 1");
        assertThat(inPivot.await(30, TimeUnit.SECONDS)).isTrue();

        assertThatThrownBy(() ->
                        Sql.execute(dataSource, "SET lock_timeout = 200; UPDATE orders SET total = 25 WHERE id = 1"))
                .isInstanceOf(SqlFailure.class)
                .hasStackTraceContaining("lock timeout");
        pivotGoesOn.countDown();
        assertThat(saga.await(SOON).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
    }

    @Test
    void a_read_that_was_skipped_is_not_read_again() throws InterruptedException {
        SagaHandle saga = start(PRICE, RevalidationTest::price, external(), true);
        meanwhile("UPDATE orders SET total = 25 WHERE id = 1");

        assertThat(saga.await(SOON).orElseThrow().state()).isEqualTo(SagaState.COMPLETED);
    }

    @Test
    void a_query_that_hides_its_rows_from_the_lock_is_refused() throws InterruptedException {
        assertNotLockable(ctx -> (long) ctx.dsl().fetchCount(ctx.dsl().selectFrom("orders")));
    }

    @Test
    void so_is_one_that_would_lock_nothing_and_not_say_so() throws InterruptedException {
        assertNotLockable(ctx -> ctx.dsl()
                .fetchSingle("select (select version from orders where id = 1 and status <> ' from ')")
                .get(0, Long.class));
    }

    @Test
    void so_is_a_reader_that_writes() throws InterruptedException {
        assertNotLockable(ctx -> (long) ctx.dsl().execute("update orders set version = 0 where id = 1"));
    }

    private void assertNotLockable(StepFunction<LocalContext<Order>, Long> reader) throws InterruptedException {
        SagaHandle saga = start(COUNT, reader, external());
        meanwhile("SELECT 1");
        assertTurnedBack(saga, "SAGA-308");
        assertThat(captured).hasValue(0);
    }

    @Test
    void only_reads_before_the_pivot_are_revalidated() {
        assertThatThrownBy(() -> SagaDefinition.builder(TYPE)
                        .step(STEPS.local(COUNT, ctx -> 1L).noCompensation("no read"))
                        .pivot(external())
                        .revalidating(COUNT)
                        .build())
                .isInstanceOf(SagaDefinitionException.class)
                .hasMessageContaining("SAGA-124")
                .hasMessageContaining("read-count");
        assertThatThrownBy(() -> SagaDefinition.builder(TYPE)
                        .pivot(external())
                        .revalidating(PRICE)
                        .build())
                .hasMessageContaining("SAGA-124");
        assertThatThrownBy(() -> SagaDefinition.builder(TYPE).pivot(external()).revalidating((StepKey<?>) null))
                .hasMessageContaining("SAGA-106");
    }

    private long pivotsBegun() {
        return Sql.value(dataSource, Long.class, "SELECT count(*) FROM holdfast.saga_log WHERE kind = 'PIVOT_BEGUN'");
    }
}
