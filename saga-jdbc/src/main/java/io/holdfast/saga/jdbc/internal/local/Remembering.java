package io.holdfast.saga.jdbc.internal.local;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.StepFunction;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.internal.Compensatable;
import io.holdfast.saga.internal.EngineContext;
import io.holdfast.saga.internal.StepSpec;
import io.holdfast.saga.internal.StepSpec.Nothing;
import io.holdfast.saga.jdbc.LocalContext;
import io.holdfast.saga.spi.StoreTransaction;
import java.util.List;

/** A step that remembers what it reads, and the same reader at the pivot, which then locks what it reads. */
final class Remembering {
    private Remembering() {}

    static <D, R> CompensatableStep<D> step(StepKey<R> key, StepFunction<? super LocalContext<D>, ? extends R> reader) {
        StepSpec<D> step = StepSpec.<D>local(
                        key.name(), key.resultClass(), (ctx, tx) -> reader.apply(new TransactionContext<>(ctx, tx)))
                .rereading((ctx, tx, remembered) -> differences(reader, ctx, tx, remembered))
                .undoing(new Nothing<>("it only reads"));
        return new Compensatable<>(step);
    }

    private static <D, R> List<String> differences(
            StepFunction<? super LocalContext<D>, ? extends R> reader,
            EngineContext<D> ctx,
            StoreTransaction transaction,
            String remembered)
            throws Exception {
        var locking = LockingReads.in(TransactionContext.open(transaction));
        R now = reader.apply(new TransactionContext<>(ctx, locking));
        return JsonDifferences.between(remembered, now == null ? "null" : ctx.encoded(now));
    }
}
