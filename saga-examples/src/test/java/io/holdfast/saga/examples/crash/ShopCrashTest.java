package io.holdfast.saga.examples.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.saga.SagaSnapshot;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.examples.crash.CrashNode.Plan;
import io.holdfast.saga.examples.payment.PaymentServer;
import io.holdfast.saga.examples.shop.Accounts;
import io.holdfast.saga.examples.shop.OrderSaga;
import io.holdfast.saga.examples.shop.Orders;
import io.holdfast.saga.examples.shop.PlaceOrder;
import io.holdfast.saga.examples.shop.ShopInvariants;
import io.holdfast.saga.examples.shop.ShopSchema;
import io.holdfast.saga.examples.shop.Stock;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.Schema;
import io.holdfast.saga.jdbc.testing.ChildJvm;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Kills a process while it places orders, before and after each commit and each call, forwards and backwards, and lets another
 * one recover. For each point there is an order of its own; one process brings all of them there and is killed once.
 */
@PostgresTest
class ShopCrashTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final DataSource pool;
    private final TestDatabase database;
    private final DSLContext dsl;
    private PaymentServer provider;

    ShopCrashTest(TestDatabase database) {
        this.database = database;
        this.pool = database.pool(20);
        this.dsl = DSL.using(pool, SQLDialect.POSTGRES);
    }

    @BeforeEach
    void open() throws IOException {
        provider = PaymentServer.start();
        Schema.migrate(pool, Schema.DEFAULT_NAME);
        ShopSchema.create(pool);
    }

    @AfterEach
    void close() {
        provider.close();
    }

    @ParameterizedTest
    @EnumSource
    void wherever_a_process_dies_each_order_ends_whole_or_undone(Story story) {
        var points = CrashNode.everyPoint(rehearse(story));
        var plans = Stream.iterate(1, number -> number + 1)
                .limit(points.size())
                .map(number ->
                        new Plan(points.get(number - 1), newOrder(number, story).orderId()))
                .toList();

        killAtEachOf(plans);
        endTheLeases();
        try (var sagas = CrashNode.open(pool, provider.uri(), "survivor", Duration.ofMillis(200))) {
            await().atMost(LIMIT).until(() -> states(sagas).noneMatch(ShopCrashTest::isOpen));
            assertThat(states(sagas)).allMatch(story.ends()::contains);
            var verdict = ShopInvariants.verify(dsl, snapshots(sagas), provider.books());
            System.out.printf("%s: killed at %d points: %s%n", story, plans.size(), verdict);
        }
    }

    /** The same order with nobody dying, to see how many points there are. */
    private Victim rehearse(Story story) {
        var counted = Victim.unharmed();
        try (var sagas = CrashNode.open(VictimDataSource.around(pool), provider.uri(), "rehearsal", CrashNode.NEVER)) {
            CrashNode.drive(sagas, newOrder(0, story), counted);
        }
        assertThat(counted.count(CrashPoint.Act.COMMIT)).isGreaterThan(4);
        assertThat(counted.count(CrashPoint.Act.CALL)).isPositive();
        return counted;
    }

    private void killAtEachOf(List<Plan> plans) {
        var arguments = Stream.concat(
                        Stream.of(database.url(), provider.uri().toString()),
                        plans.stream().map(Plan::toString))
                .toArray(String[]::new);
        try (var child = ChildJvm.start(CrashNode.class, arguments)) {
            assertThat(child.awaitLine(
                            line -> line.startsWith(CrashNode.ALL_STAND_STILL) || line.startsWith(CrashNode.MISSED),
                            LIMIT))
                    .isEqualTo(CrashNode.ALL_STAND_STILL);
            child.kill9();
        }
    }

    /** As if the time had passed. Sagas of the dead process are the only ones that anybody owns. */
    private void endTheLeases() {
        Sql.execute(pool, "update holdfast.saga set due_at = clock_timestamp() where owner is not null");
    }

    /** Each with goods and an account of its own, so that no order waits for another one's rows. */
    private PlaceOrder newOrder(int number, Story story) {
        var order = new PlaceOrder(number, "sku-" + number, 2, number, new BigDecimal("9.90"));
        Stock.receive(dsl, order.sku(), 5);
        Accounts.open(dsl, number);
        Orders.add(dsl, order);
        story.arrange(provider.faults(), number);
        return order;
    }

    private Stream<SagaState> states(JdbcSagas sagas) {
        return snapshots(sagas).stream().map(SagaSnapshot::state);
    }

    /** Of an order whose process died before the first commit there is no saga. */
    private List<SagaSnapshot> snapshots(JdbcSagas sagas) {
        return Orders.all(dsl).stream()
                .map(order -> sagas.handle(OrderSaga.PLACE_ORDER, order.data().businessKey())
                        .snapshot())
                .flatMap(Optional::stream)
                .toList();
    }

    private static boolean isOpen(SagaState state) {
        return !EnumSet.of(SagaState.COMPLETED, SagaState.COMPENSATED, SagaState.STUCK)
                .contains(state);
    }
}
