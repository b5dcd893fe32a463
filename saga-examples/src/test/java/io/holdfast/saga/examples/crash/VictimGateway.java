package io.holdfast.saga.examples.crash;

import io.holdfast.saga.examples.crash.CrashPoint.Act;
import io.holdfast.saga.examples.payment.PaymentGateway;
import java.io.IOException;
import java.util.Optional;

/** Crash points around every call to the payment provider. */
record VictimGateway(PaymentGateway inner) implements PaymentGateway {
    /** Calls fail in two ways, and generics know only one. */
    private sealed interface Answer<T> {
        record Given<T>(T value) implements Answer<T> {}

        record Refused<T>(Declined why) implements Answer<T> {}

        default T get() throws Declined {
            if (this instanceof Given<T> given) {
                return given.value();
            }
            throw ((Refused<T>) this).why();
        }
    }

    private interface Call<T> {
        T ask() throws Declined, IOException;
    }

    @Override
    public Authorization authorize(Purchase purchase, String key) throws Declined, IOException {
        return passing(() -> inner.authorize(purchase, key)).get();
    }

    @Override
    public Receipt capture(String authorizationId, String key) throws Declined, IOException {
        return passing(() -> inner.capture(authorizationId, key)).get();
    }

    @Override
    public void voidAuthorization(String authorizationId, String key) throws IOException {
        Victim.<Void, IOException>passing(Act.CALL, () -> {
            inner.voidAuthorization(authorizationId, key);
            return null;
        });
    }

    @Override
    public void voidByKey(String authorizeKey, String key) throws IOException {
        Victim.<Void, IOException>passing(Act.CALL, () -> {
            inner.voidByKey(authorizeKey, key);
            return null;
        });
    }

    @Override
    public Optional<Authorization> findByKey(String authorizeKey) throws IOException {
        return inner.findByKey(authorizeKey);
    }

    private static <T> Answer<T> passing(Call<T> call) throws IOException {
        return Victim.<Answer<T>, IOException>passing(Act.CALL, () -> {
            try {
                return new Answer.Given<>(call.ask());
            } catch (Declined declined) {
                return new Answer.Refused<>(declined);
            }
        });
    }
}
