package io.holdfast.saga.examples.demo;

import io.holdfast.saga.examples.payment.PaymentGateway;
import java.io.IOException;
import java.util.Optional;

/** Says on standard output that it has come to its point, and goes on when a line comes in. */
record PausingGateway(PaymentGateway inner, PausePoint point) implements PaymentGateway {
    /** How the announcement begins. */
    static final String PAUSED = "paused ";

    @Override
    public Authorization authorize(Purchase purchase, String key) throws Declined, IOException {
        var authorization = inner.authorize(purchase, key);
        pauseAt(PausePoint.AFTER_AUTHORIZE);
        return authorization;
    }

    @Override
    public Receipt capture(String authorizationId, String key) throws Declined, IOException {
        pauseAt(PausePoint.BEFORE_CAPTURE);
        return inner.capture(authorizationId, key);
    }

    @Override
    public void voidAuthorization(String authorizationId, String key) throws IOException {
        inner.voidAuthorization(authorizationId, key);
    }

    @Override
    public void voidByKey(String authorizeKey, String key) throws IOException {
        inner.voidByKey(authorizeKey, key);
    }

    @Override
    public Optional<Authorization> findByKey(String authorizeKey) throws IOException {
        return inner.findByKey(authorizeKey);
    }

    private void pauseAt(PausePoint reached) throws IOException {
        if (reached == point) {
            System.out.println(PAUSED + reached);
            System.out.println("goes on" + (System.in.read() < 0 ? ", nobody is there any more" : ""));
        }
    }
}
