package io.holdfast.saga.examples.crash;

import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.examples.payment.HttpPaymentGateway;
import io.holdfast.saga.examples.shop.OrderSaga;
import io.holdfast.saga.examples.shop.Orders;
import io.holdfast.saga.examples.shop.PlaceOrder;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** A process whose sagas all stand still, each at a crash point of its own, until the process is killed. */
final class CrashNode {
    static final String ALL_STAND_STILL = "all stand still";
    static final String MISSED = "missed ";

    /** How often the provider is asked before an order is given up. */
    static final int ATTEMPTS = 2;

    /** Long, so that no saga loses its lease while others are still on their way; the test brings the end forward. */
    static final Duration LEASE = Duration.ofMinutes(2);

    /** For a node that recovers nothing. */
    static final Duration NEVER = Duration.ofMinutes(10);

    private static final int CAPACITY = 200;
    private static final int CONNECTIONS = 80;
    private static final OrderSaga.Settings SETTINGS = new OrderSaga.Settings(
            Duration.ofMinutes(5),
            Duration.ofSeconds(20),
            RetryPolicy.fixed(Duration.ofMillis(20)).maxAttempts(ATTEMPTS));

    private CrashNode() {}

    /** An order and where its saga is to stand still, as text for a command line. */
    record Plan(CrashPoint point, long orderId) {
        static Plan parse(String text) {
            var parts = text.split("@", 2);
            return new Plan(CrashPoint.parse(parts[0]), Long.parseLong(parts[1]));
        }

        @Override
        public String toString() {
            return point + "@" + orderId;
        }
    }

    /** Arguments: the database, the provider, and plans. */
    public static void main(String[] args) throws Exception {
        var plans = Arrays.stream(args).skip(2).map(Plan::parse).toList();
        try (var database = TestDatabase.attach(args[0]);
                var pool = database.pool(CONNECTIONS);
                var sagas = open(VictimDataSource.around(pool), URI.create(args[1]), "victim", NEVER)) {
            var reached = new CountDownLatch(plans.size());
            var orders = DSL.using(pool, SQLDialect.POSTGRES);
            for (var plan : plans) {
                var order = Orders.get(orders, plan.orderId());
                new Thread(() -> {
                            drive(sagas, order, Victim.at(plan.point(), reached));
                            System.out.println(MISSED + plan);
                        })
                        .start();
            }
            reached.await();
            System.out.println(ALL_STAND_STILL);
            System.in.read();
        }
    }

    /** On the calling thread, so that it is the victim's all the way. */
    static void drive(JdbcSagas sagas, PlaceOrder order, Victim victim) {
        victim.enter();
        try {
            sagas.run(OrderSaga.PLACE_ORDER, order.businessKey(), order, Duration.ofSeconds(30));
        } finally {
            Victim.leave();
        }
    }

    static JdbcSagas open(DataSource dataSource, URI provider, String name, Duration reapEvery) {
        var gateway = new VictimGateway(new HttpPaymentGateway(provider, Duration.ofSeconds(10)));
        return JdbcSagas.builder(dataSource)
                .register(OrderSaga.definition(gateway, SETTINGS))
                .nodeName(name)
                .lease(LEASE)
                .reapEvery(reapEvery)
                .executor(Executors.newCachedThreadPool(CrashNode::daemon), CAPACITY)
                .build();
    }

    private static Thread daemon(Runnable work) {
        var thread = new Thread(work, "crash-node");
        thread.setDaemon(true);
        return thread;
    }

    /** Where a process can die in a life of so many commits and calls. */
    static List<CrashPoint> everyPoint(Victim counted) {
        return Arrays.stream(CrashPoint.Act.values())
                .flatMap(act -> IntStream.rangeClosed(1, counted.count(act))
                        .boxed()
                        .flatMap(number -> Arrays.stream(CrashPoint.Moment.values())
                                .map(moment -> new CrashPoint(act, number, moment))))
                .toList();
    }
}
