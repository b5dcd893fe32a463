package io.holdfast.saga.examples.demo;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.examples.payment.HttpPaymentGateway;
import io.holdfast.saga.examples.payment.PaymentGateway;
import io.holdfast.saga.examples.shop.OrderSaga;
import io.holdfast.saga.examples.shop.Orders;
import io.holdfast.saga.jdbc.JdbcSagas;
import java.net.URI;
import java.time.Duration;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** A process of the shop. The demo itself is one; others are started by it, place one order, and end. */
public final class ShopNode {
    /** How the last line of a node begins. */
    static final String DONE = "done: ";

    /** Short, so that the demo need not wait long for it to end; the default suits real machines better. */
    static final Duration LEASE = Duration.ofSeconds(2);

    private static final int CAPACITY = 4;
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final OrderSaga.Settings SETTINGS = new OrderSaga.Settings(
            Duration.ofMinutes(5),
            CALL_TIMEOUT,
            RetryPolicy.exponential(Duration.ofMillis(100), Duration.ofSeconds(1))
                    .maxAttempts(3));

    private ShopNode() {}

    /**
     * Places one order and stands still where it is told to.
     *
     * @param args JDBC URL, address of the payment provider, name of the node, number of the order, where to pause
     */
    public static void main(String[] args) {
        var gateway = new PausingGateway(gateway(URI.create(args[1])), PausePoint.valueOf(args[4]));
        try (var pool = pool(args[0]);
                var sagas = open(pool, gateway, args[2])) {
            var order = Orders.get(DSL.using(pool, SQLDialect.POSTGRES), Long.parseLong(args[3]));
            var saga = sagas.start(OrderSaga.PLACE_ORDER, order.businessKey(), order);
            System.out.println(DONE
                    + saga.await(PATIENCE)
                            .map(outcome -> outcome.state().toString())
                            .orElse("still running"));
        }
    }

    static PaymentGateway gateway(URI provider) {
        return new HttpPaymentGateway(provider, CALL_TIMEOUT);
    }

    static JdbcSagas open(DataSource dataSource, PaymentGateway gateway, String name) {
        return JdbcSagas.builder(dataSource)
                .register(OrderSaga.definition(gateway, SETTINGS))
                .nodeName(name)
                .lease(LEASE)
                .reapEvery(Duration.ofMillis(500))
                .capacity(CAPACITY)
                .build();
    }

    static HikariDataSource pool(String jdbcUrl) {
        var pool = new HikariDataSource();
        pool.setJdbcUrl(jdbcUrl);
        // One for each saga and its step, one for the heartbeat, one for the reaper.
        pool.setMaximumPoolSize(2 * CAPACITY + 2);
        pool.setMinimumIdle(1);
        return pool;
    }
}
