package io.holdfast.saga.examples.payment;

import java.math.BigDecimal;
import java.util.List;

/**
 * The provider's books at one moment, for whoever checks the shop's against them. Immutable.
 *
 * @param entries every authorization ever made, oldest first
 * @param calls every key ever seen, oldest first
 */
public record Books(List<Entry> entries, List<Call> calls) {
    /** What became of an authorization. */
    public enum State {
        /** The money is set aside. */
        OPEN,
        /** The money was taken. */
        CAPTURED,
        /** The money was freed. */
        VOIDED
    }

    /** What a call asks for. */
    public enum Kind {
        /** Set money aside. */
        AUTHORIZE,
        /** Take it. */
        CAPTURE,
        /** Free it. */
        VOID
    }

    /**
     * An authorization.
     *
     * @param id its name
     * @param account whose money
     * @param amount how much
     * @param reference the shop's name for the purchase
     * @param state what became of it
     */
    public record Entry(String id, long account, BigDecimal amount, String reference, State state) {}

    /**
     * A key, and how often it was presented.
     *
     * @param key the idempotency key
     * @param kind what was asked
     * @param subject the reference of the purchase concerned; empty when the provider knows none
     * @param attempts how many calls carried the key
     * @param status the HTTP status of the answer that all of them got
     */
    public record Call(String key, Kind kind, String subject, int attempts, int status) {
        /** {@return whether the call had its effect} */
        public boolean succeeded() {
            return status < 300;
        }
    }

    /** Copies both lists. */
    public Books {
        entries = List.copyOf(entries);
        calls = List.copyOf(calls);
    }

    /**
     * The authorizations for one purchase.
     *
     * @param reference the shop's name for it
     * @return oldest first
     */
    public List<Entry> of(String reference) {
        return entries.stream()
                .filter(entry -> entry.reference().equals(reference))
                .toList();
    }

    /**
     * Money set aside, taken or freed altogether.
     *
     * @param state of which authorizations
     * @return the sum
     */
    public BigDecimal total(State state) {
        return entries.stream()
                .filter(entry -> entry.state() == state)
                .map(Entry::amount)
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }
}
