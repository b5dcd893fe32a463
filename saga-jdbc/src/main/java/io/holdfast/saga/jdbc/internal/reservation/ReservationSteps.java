package io.holdfast.saga.jdbc.internal.reservation;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.RetriableStep;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.internal.Checks;
import io.holdfast.saga.internal.Compensatable;
import io.holdfast.saga.internal.EngineContext;
import io.holdfast.saga.internal.Receipt;
import io.holdfast.saga.internal.Retriable;
import io.holdfast.saga.internal.StepSpec;
import io.holdfast.saga.internal.StepSpec.ByKey;
import io.holdfast.saga.internal.StepSpec.Role;
import io.holdfast.saga.internal.StepSpec.Use;
import io.holdfast.saga.internal.UndoBody.Known;
import io.holdfast.saga.jdbc.internal.JdbcTransaction;
import io.holdfast.saga.jdbc.internal.local.TransactionContext;
import io.holdfast.saga.jdbc.internal.reservation.ReservationSql.ReservationKey;
import io.holdfast.saga.jdbc.reservation.ReservationLostException;
import io.holdfast.saga.spi.StoreTransaction;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** The steps of one reservation, of whatever kind. Immutable but for the names of the steps that reserve. */
final class ReservationSteps<D> {
    private final Set<String> claims = ConcurrentHashMap.newKeySet();
    private final String what;

    /** How one is made. */
    interface Reserving<D> {
        Reserved reserve(EngineContext<D> ctx, JdbcTransaction transaction, ReservationKey key);
    }

    ReservationSteps(String what) {
        this.what = what;
    }

    CompensatableStep<D> reserve(
            String step, Reserving<D> how, Consumer<EngineContext<D>> offline, Consumer<DSLContext> check) {
        claims.add(Checks.name("step", step));
        StepSpec<D> reserve = StepSpec.<D>local(step, Receipt.class, (ctx, tx) -> {
                    ReservationKey key =
                            new ReservationKey(ctx.sagaId(), ctx.saga().origin().incarnation(), step);
                    return how.reserve(ctx, TransactionContext.open(tx), key).receipt();
                })
                .rejectedOn(SagaUsageException.class) // an id or a quantity that is none stays one
                .offline((ctx, none) -> {
                    offline.accept(ctx);
                    return new Receipt("{}");
                })
                .uses(new Use(new ReservationHold(claims, what, check), Role.CLAIM))
                .undoing(new ByKey<>(ReservationSteps::cancel));
        return new Compensatable<>(reserve);
    }

    RetriableStep<D> ending(String step, BiConsumer<Reserved, JdbcTransaction> how, Consumer<DSLContext> check) {
        StepSpec<D> end = StepSpec.<D>local(Checks.name("step", step), null, (ctx, tx) -> {
                    JdbcTransaction transaction = TransactionContext.open(tx);
                    reserved(ctx).forEach(one -> how.accept(one, transaction));
                    return null;
                })
                .offline((ctx, none) -> null)
                .uses(new Use(new ReservationHold(claims, what, check), Role.RELEASE));
        return new Retriable<>(end);
    }

    /** By this object's steps. A step of one of these names may be something else in a definition that shares the object. */
    private List<Reserved> reserved(EngineContext<D> ctx) {
        List<Reserved> all = claims.stream()
                .sorted()
                .map(claim -> ctx.findResult(StepKey.of(claim, Receipt.class)))
                .flatMap(Optional::stream)
                .filter(receipt -> receipt.json().contains("\"reservation\""))
                .map(receipt -> Reserved.read(ctx.sagaId(), receipt.json()))
                .toList();
        if (all.isEmpty()) {
            throw new ReservationLostException("no reservation of " + what
                    + " was made by this saga (skipped by its condition?), so there is nothing to settle or release");
        }
        return all;
    }

    private static void cancel(EngineContext<?> ctx, @Nullable StoreTransaction transaction, Known known) {
        if (transaction != null && known.result() != null) {
            Reserved.read(ctx.sagaId(), ((Receipt) known.result()).json())
                    .cancel(TransactionContext.open(transaction))
                    .ifPresent(ctx::note);
        }
    }
}
