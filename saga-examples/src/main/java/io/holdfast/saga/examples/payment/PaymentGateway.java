package io.holdfast.saga.examples.payment;

import java.io.IOException;
import java.io.Serial;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * What a shop asks of its payment provider. Threadsafe. Every call that changes something carries an idempotency key:
 * repeated with the same key it has no second effect and gets the first answer again. An {@link IOException} says nothing
 * about whether the call was carried out.
 */
public interface PaymentGateway {
    /**
     * Money set aside, not yet taken.
     *
     * @param id the provider's name for it
     * @param amount how much
     */
    record Authorization(String id, BigDecimal amount) {}

    /**
     * Proof of a payment.
     *
     * @param id the provider's name for it
     * @param amount how much was taken
     */
    record Receipt(String id, BigDecimal amount) {}

    /**
     * What an authorization is asked for.
     *
     * @param account whose money
     * @param amount how much, with at most two decimals
     * @param reference the shop's own name for what is paid, printed on statements
     */
    record Purchase(long account, BigDecimal amount, String reference) {}

    /** The provider's last word on a key: not done, and never will be. */
    final class Declined extends Exception {
        @Serial
        private static final long serialVersionUID = 1L;

        /**
         * Made by gateways.
         *
         * @param why the provider's words
         */
        public Declined(String why) {
            super(why);
        }
    }

    /**
     * Sets money aside.
     *
     * @param purchase what for
     * @param key the call's idempotency key
     * @return what was set aside
     * @throws Declined when the account is not good for it, or the key was voided before this call arrived
     * @throws IOException when there was no answer
     */
    Authorization authorize(Purchase purchase, String key) throws Declined, IOException;

    /**
     * Takes the money that was set aside.
     *
     * @param authorizationId what {@link #authorize} returned
     * @param key the call's idempotency key
     * @return the proof
     * @throws Declined when the authorization is void or the bank refuses
     * @throws IOException when there was no answer
     */
    Receipt capture(String authorizationId, String key) throws Declined, IOException;

    /**
     * Frees the money.
     *
     * @param authorizationId what {@link #authorize} returned
     * @param key the call's idempotency key
     * @throws IOException when there was no answer, or the money was captured already
     */
    void voidAuthorization(String authorizationId, String key) throws IOException;

    /**
     * Frees the money that an authorize call has set aside, or will: when the provider has not seen that call, it refuses it
     * should it still arrive.
     *
     * @param authorizeKey the key of the call to undo
     * @param key the idempotency key of this call
     * @throws IOException when there was no answer, or the money was captured already
     */
    void voidByKey(String authorizeKey, String key) throws IOException;

    /**
     * What an authorize call came to, whatever happened to it since.
     *
     * @param authorizeKey the key of that call
     * @return empty when it never arrived, or was declined
     * @throws IOException when there was no answer
     */
    Optional<Authorization> findByKey(String authorizeKey) throws IOException;
}
