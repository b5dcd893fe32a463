package io.holdfast.saga.spi;

/**
 * One attempt of a local step, as the store sees it: what it runs, and how it can be given up from another thread.
 */
public interface LocalAttempt extends LocalWork {
    /**
     * Told by the store before the work is run: how the attempt's transaction can be ended from outside. The attempt calls it
     * at most once, from any thread, when it is given up; afterwards the transaction must never commit.
     *
     * @param abort ends the transaction's connection without waiting
     */
    void onAbort(Runnable abort);

    /**
     * How its transaction is kept apart from others.
     *
     * @return never null
     */
    default Isolation isolation() {
        return Isolation.READ_COMMITTED;
    }
}
