package io.holdfast.saga.jdbc.internal.lock;

import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.internal.Checks;
import io.holdfast.saga.internal.Texts;
import io.holdfast.saga.jdbc.internal.table.TableSpec;
import io.holdfast.saga.jdbc.lock.WhenLost;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * How a lock behaves. Immutable but for its token.
 *
 * @param table where the rows are
 * @param statuses what rows are taken from, and marked with
 * @param patience for how long
 * @param takeOver whether expired rows of a running holder may be taken
 * @param whenLost what a release does without its rows
 * @param token the lock's identity
 */
record LockSpec(
        TableSpec table, Statuses statuses, Patience patience, boolean takeOver, WhenLost whenLost, Token token) {

    /**
     * What makes two views one lock, and which steps and statuses were made from it: a release finds the receipts of its claims by
     * their steps' names, and registration checks the statuses. Grows while definitions are written.
     */
    record Token(Set<String> claims, Set<String> released) {
        /** Of a new lock. */
        Token() {
            this(ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet());
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    /**
     * The statuses of a row.
     *
     * @param from free rows are taken from these; empty: from any but the pending one
     * @param pending held rows have it
     * @param orphan of rows whose former status is not known, or null
     */
    record Statuses(
            List<String> from, String pending, @Nullable String orphan) {
        /** Whether a row with such a status may be taken. */
        boolean allow(@Nullable String former) {
            return from.isEmpty() ? !pending.equals(former) : former != null && from.contains(former);
        }

        /** The only status that a row can have come from, or null. */
        @Nullable
        String only() {
            return from.size() == 1 ? from.get(0) : null;
        }
    }

    /**
     * For how long.
     *
     * @param lockFor a claim holds; null: until the saga's deadline
     * @param waiting a claim is tried again while rows are busy; null: not at all
     */
    record Patience(@Nullable Duration lockFor, @Nullable Duration waiting) {}

    private static final int MOST_CHARS = 200;

    static LockSpec on(TableSpec table) {
        return new LockSpec(
                table,
                new Statuses(List.of(), "PENDING", null),
                new Patience(null, null),
                false,
                WhenLost.REFUSE,
                new Token());
    }

    LockSpec from(String @Nullable ... statuses) {
        if (statuses == null || statuses.length == 0) {
            throw refused("from() needs at least one status");
        }
        Set<String> distinct = new LinkedHashSet<>();
        for (String status : statuses) {
            distinct.add(status(status));
        }
        return with(new Statuses(List.copyOf(distinct), this.statuses.pending, this.statuses.orphan));
    }

    LockSpec pending(String status) {
        return with(new Statuses(statuses.from, status(status), statuses.orphan));
    }

    LockSpec orphanedAs(String status) {
        return with(new Statuses(statuses.from, statuses.pending, status(status)));
    }

    private LockSpec with(Statuses other) {
        if (other.from.contains(other.pending)) {
            throw refused("the pending status \"" + Texts.printable(other.pending)
                    + "\" cannot be one that rows are taken from: a row of a crashed saga would look free");
        }
        if (other.orphan != null && !other.allow(other.orphan)) {
            throw refused(
                    "orphanedAs(\"" + Texts.printable(other.orphan) + "\") must be a status that rows are taken from");
        }
        return new LockSpec(table, other, patience, takeOver, whenLost, token);
    }

    LockSpec lockFor(Duration afterClaim) {
        Checks.duration("lock deadline", afterClaim, Duration.ofMillis(100), Duration.ofDays(365));
        return new LockSpec(table, statuses, new Patience(afterClaim, patience.waiting), takeOver, whenLost, token);
    }

    LockSpec waiting(Duration atMost) {
        Checks.duration("wait for busy rows", atMost, Duration.ofMillis(10), Duration.ofDays(365));
        return new LockSpec(table, statuses, new Patience(patience.lockFor, atMost), takeOver, whenLost, token);
    }

    LockSpec takingOver() {
        return new LockSpec(table, statuses, patience, true, whenLost, token);
    }

    LockSpec whenLost(WhenLost policy) {
        Checks.notNull("policy for lost rows", policy);
        return new LockSpec(table, statuses, patience, takeOver, policy, token);
    }

    /** A status that a release sets. */
    String released(String status) {
        if (statuses.pending.equals(status(status))) {
            throw refused("a release cannot set the pending status \"" + Texts.printable(status) + "\"");
        }
        token.released.add(status);
        return status;
    }

    private static String status(@Nullable String status) {
        if (status == null || status.isBlank() || status.length() > MOST_CHARS || !Texts.isStorable(status)) {
            throw refused("status \"" + (status == null ? "null" : Texts.printable(status)) + "\" is refused: 1 to "
                    + MOST_CHARS + " characters, not blank, without NUL and unpaired surrogates");
        }
        return status;
    }

    private static SagaDefinitionException refused(String why) {
        return new SagaDefinitionException(SagaError.INVALID_LOCK, why);
    }
}
