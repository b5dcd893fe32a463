package io.holdfast.saga.jdbc.barrier;

import org.jspecify.annotations.Nullable;

/**
 * The participant's own change, made at most once.
 *
 * @param <C> the transaction it is made in: jOOQ's DSLContext or a Connection
 * @param <R> its result, {@code Void} for none
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface GuardedWork<C, R, X extends Exception> {
    /**
     * Makes the change, in the transaction that was given to the barrier and in no other.
     *
     * @param transaction the open transaction; is not ended here
     * @return what repeated calls are answered with; null only for {@code Void}
     * @throws X any failure; it passes through, and the transaction must be rolled back
     */
    @Nullable
    R apply(C transaction) throws X;
}
