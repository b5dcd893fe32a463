package io.holdfast.saga.spi;

import org.jspecify.annotations.Nullable;

/** A local attempt that remembers how it can be aborted. */
final class Attempts implements LocalAttempt {
    private final LocalWork work;
    private volatile @Nullable Runnable abort;

    private Attempts(LocalWork work) {
        this.work = work;
    }

    static Attempts of(LocalWork work) {
        return new Attempts(work);
    }

    @Override
    public Change run(StoreTransaction transaction) throws Exception {
        return work.run(transaction);
    }

    @Override
    public void onAbort(Runnable how) {
        abort = how;
    }

    /** Null as long as the store has not told. */
    @Nullable
    Runnable abort() {
        return abort;
    }
}
