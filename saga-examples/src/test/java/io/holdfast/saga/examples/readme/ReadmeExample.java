package io.holdfast.saga.examples.readme;

import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaOutcome;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.examples.payment.PaymentGateway;
import io.holdfast.saga.examples.payment.PaymentGateway.Authorization;
import io.holdfast.saga.examples.payment.PaymentGateway.Declined;
import io.holdfast.saga.examples.payment.PaymentGateway.Purchase;
import io.holdfast.saga.examples.payment.PaymentGateway.Receipt;
import io.holdfast.saga.jdbc.BusinessTable;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.JdbcSteps;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** The code in the README, between the two marks: what is shown is what is compiled and run. */
final class ReadmeExample {
    private ReadmeExample() {}

    // README begins
    record PlaceOrder(long orderId, long account, BigDecimal total) {}

    static final SagaType<PlaceOrder> PLACE_ORDER = SagaType.of("place-order", 1, PlaceOrder.class);
    static final StepKey<Authorization> AUTHORIZATION = StepKey.of("authorize", Authorization.class);
    static final StepKey<Receipt> RECEIPT = StepKey.of("capture", Receipt.class);

    static SagaDefinition<PlaceOrder> placeOrder(PaymentGateway gateway) {
        var steps = JdbcSteps.of(PlaceOrder.class);

        // update orders set status = 'PENDING', saga_id = ?, locked_until = ? where id = ? and status = 'NEW' …
        var order = steps.lock(BusinessTable.of("public", "orders"), PlaceOrder::orderId)
                .from("NEW")
                .pending("PENDING");

        var authorize = steps.external(
                        AUTHORIZATION, ctx -> gateway.authorize(purchase(ctx.data()), ctx.idempotencyKey()))
                .rejectedOn(Declined.class)
                .compensatedBy((ctx, known) -> gateway.voidByKey(ctx.actionKey(), ctx.idempotencyKey()));

        var capture = steps.external(
                RECEIPT, ctx -> gateway.capture(ctx.result(AUTHORIZATION).id(), ctx.idempotencyKey()));

        return SagaDefinition.builder(PLACE_ORDER)
                .deadline(Duration.ofMinutes(15))
                .step(order.claim("claim-order")) // undone by restoring the former status
                .step(authorize) // undone by a void
                .pivot(capture) // from here on only forward
                .then(order.release("confirm-order", "CONFIRMED"))
                .build();
    }

    static Optional<SagaOutcome> place(PlaceOrder order, DataSource dataSource, PaymentGateway gateway) {
        var builder = JdbcSagas.builder(dataSource).register(placeOrder(gateway));
        try (var sagas = builder.build()) {
            return sagas.start(PLACE_ORDER, "order-" + order.orderId(), order).await(Duration.ofSeconds(30));
        }
    }
    // README ends

    private static Purchase purchase(PlaceOrder order) {
        return new Purchase(order.account(), order.total(), "order-" + order.orderId());
    }
}
