package io.holdfast.saga.examples.shop;

import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.StepContext;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.StepRejectedException;
import io.holdfast.saga.examples.payment.PaymentGateway;
import io.holdfast.saga.examples.payment.PaymentGateway.Authorization;
import io.holdfast.saga.examples.payment.PaymentGateway.Declined;
import io.holdfast.saga.examples.payment.PaymentGateway.Purchase;
import io.holdfast.saga.examples.payment.PaymentGateway.Receipt;
import io.holdfast.saga.jdbc.BusinessTable;
import io.holdfast.saga.jdbc.JdbcSteps;
import io.holdfast.saga.jdbc.LocalContext;
import java.time.Duration;

/** Places an order: either the goods are taken and paid for, or nothing is left of the attempt. */
public final class OrderSaga {
    /** Its identity: what is stored with every order's saga. */
    public static final SagaType<PlaceOrder> PLACE_ORDER = SagaType.of("place-order", 1, PlaceOrder.class);

    /** The money set aside. */
    public static final StepKey<Authorization> AUTHORIZATION = StepKey.of("authorize", Authorization.class);

    /** The money taken: the point of no return. */
    public static final StepKey<Receipt> RECEIPT = StepKey.of("capture", Receipt.class);

    static final String CONFIRMED = "CONFIRMED";

    private static final BusinessTable ORDERS = BusinessTable.of("shop", "orders");

    private OrderSaga() {}

    /**
     * What differs between environments.
     *
     * @param deadline after this time an order that is not being paid for is given up
     * @param callTimeout how long one call to the payment provider may take
     * @param gatewayRetry how calls to the provider are repeated
     */
    public record Settings(Duration deadline, Duration callTimeout, RetryPolicy gatewayRetry) {
        /**
         * What suits a shop on the internet.
         *
         * @return a quarter of an hour; 10 s a call; five attempts, 200 ms apart and doubling
         */
        public static Settings defaults() {
            return new Settings(
                    Duration.ofMinutes(15),
                    Duration.ofSeconds(10),
                    RetryPolicy.exponential(Duration.ofMillis(200), Duration.ofSeconds(10))
                            .maxAttempts(5));
        }
    }

    /**
     * The saga, to be registered on every node.
     *
     * @param gateway how this node reaches the payment provider
     * @param settings how patient it is
     * @return the checked definition
     */
    public static SagaDefinition<PlaceOrder> definition(PaymentGateway gateway, Settings settings) {
        var steps = JdbcSteps.of(PlaceOrder.class);
        var order = steps.lock(ORDERS, PlaceOrder::orderId).from("NEW").pending("PENDING");
        var reserve = steps.local("reserve-stock", OrderSaga::takeGoods)
                .compensatedBy((ctx, none) ->
                        Stock.giveBack(ctx.dsl(), ctx.data().sku(), ctx.data().quantity()));
        var authorize = steps.external(AUTHORIZATION, ctx -> gateway.authorize(purchase(ctx), ctx.idempotencyKey()))
                .rejectedOn(Declined.class)
                .retry(settings.gatewayRetry())
                .timeout(settings.callTimeout())
                // By key and not by the authorization's id: its answer may be lost, or the call still be on its way.
                // The
                // provider remembers an undo that comes first, and refuses the call when it arrives.
                .compensatedBy((ctx, known) -> gateway.voidByKey(ctx.actionKey(), ctx.idempotencyKey()));
        var capture = steps.external(
                        RECEIPT,
                        ctx -> gateway.capture(ctx.result(AUTHORIZATION).id(), ctx.idempotencyKey()))
                .rejectedOn(Declined.class)
                .retry(settings.gatewayRetry())
                .timeout(settings.callTimeout());

        return SagaDefinition.builder(PLACE_ORDER)
                .deadline(settings.deadline())
                .step(order.claim("claim-order"))
                .step(reserve)
                .step(authorize)
                .pivot(capture)
                .then(steps.local("book-payment", OrderSaga::bookPayment))
                .then(order.release("confirm-order", CONFIRMED))
                .build();
    }

    private static Purchase purchase(StepContext<PlaceOrder> ctx) {
        return new Purchase(ctx.data().account(), ctx.data().total(), ctx.businessKey());
    }

    private static void takeGoods(LocalContext<PlaceOrder> ctx) {
        var order = ctx.data();
        if (!Stock.take(ctx.dsl(), order.sku(), order.quantity())) {
            throw new StepRejectedException("fewer than " + order.quantity() + " of " + order.sku() + " are left");
        }
    }

    private static void bookPayment(LocalContext<PlaceOrder> ctx) {
        Accounts.book(ctx.dsl(), ctx.data().account(), ctx.result(RECEIPT).amount());
    }
}
