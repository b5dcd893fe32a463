package io.holdfast.saga.examples.demo;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.saga.JournalEntry;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaOutcome;
import io.holdfast.saga.SagaState;
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
import io.holdfast.saga.jdbc.audit.SagaQuery;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** What the scenarios play in: a database, a payment provider, this process as a node of the shop, and other nodes. */
final class World implements AutoCloseable {
    static final String SKU = "apple";

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int SHELF = 100;

    private final Console console;
    private final EmbeddedPostgres postgres;
    private final PaymentServer provider;
    private final HikariDataSource pool;
    private final JdbcSagas sagas;
    private long orders;

    private World(Console console, EmbeddedPostgres postgres, PaymentServer provider) {
        this.console = console;
        this.postgres = postgres;
        this.provider = provider;
        this.pool = ShopNode.pool(jdbcUrl());
        Schema.migrate(pool, Schema.DEFAULT_NAME);
        ShopSchema.create(pool);
        Stock.receive(dsl(), SKU, SHELF);
        this.sagas = ShopNode.open(pool, ShopNode.gateway(provider.uri()), "parent");
    }

    static World create(Console console) throws IOException {
        console.step("starting an embedded PostgreSQL");
        // Its default is a server that forgets, which is no server for sagas.
        var postgres = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start();
        console.step("starting the payment provider, the shop, and this process as its node \"parent\"");
        return new World(console, postgres, PaymentServer.start());
    }

    JdbcSagas sagas() {
        return sagas;
    }

    PaymentServer provider() {
        return provider;
    }

    /** A new order of a new customer, whose account has the order's number. */
    PlaceOrder newOrder(int quantity, String total) {
        var number = ++orders;
        var order = new PlaceOrder(number, SKU, quantity, number, new BigDecimal(total));
        Accounts.open(dsl(), number);
        Orders.add(dsl(), order);
        return order;
    }

    SagaHandle place(PlaceOrder order) {
        return sagas.start(OrderSaga.PLACE_ORDER, order.businessKey(), order);
    }

    SagaHandle handle(PlaceOrder order) {
        return sagas.handle(OrderSaga.PLACE_ORDER, order.businessKey());
    }

    /** Starts another process that places the order and pauses. */
    ChildNode child(String name, PlaceOrder order, PausePoint point) throws IOException {
        return ChildNode.start(
                List.of(jdbcUrl(), provider.uri().toString(), name, Long.toString(order.orderId()), point.toString()),
                line -> console.quote(name, line));
    }

    /** Waits for a saga's end, shows its timeline and checks everything. */
    SagaOutcome show(SagaHandle saga, SagaState expected) {
        var outcome = saga.await(PATIENCE)
                .orElseThrow(() -> new IllegalStateException("no end within " + PATIENCE + ": " + saga.snapshot()));
        Timeline.of(sagas.audit().timeline(saga.sagaId())).forEach(console::detail);
        if (outcome.state() != expected) {
            throw new IllegalStateException("the saga ended " + outcome.state() + " instead of " + expected);
        }
        return outcome;
    }

    /** What happened to an order's saga so far. */
    List<JournalEntry.Kind> journal(PlaceOrder order) {
        return sagas.audit().timeline(handle(order).sagaId()).stream()
                .map(JournalEntry::kind)
                .toList();
    }

    /** All invariants, over everything that has happened so far. */
    void verify() {
        console.good(ShopInvariants.verify(dsl(), sagas.audit().find(SagaQuery.all()), provider.books()));
    }

    @Override
    public void close() throws IOException {
        try (postgres;
                provider;
                pool;
                sagas) {
            console.step("stopping");
        }
    }

    private DSLContext dsl() {
        return DSL.using(pool, SQLDialect.POSTGRES);
    }

    private String jdbcUrl() {
        return postgres.getJdbcUrl("postgres", "postgres");
    }
}
