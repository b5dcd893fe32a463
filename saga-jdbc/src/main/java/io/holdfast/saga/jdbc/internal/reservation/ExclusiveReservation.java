package io.holdfast.saga.jdbc.internal.reservation;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.RetriableStep;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.internal.Checks;
import io.holdfast.saga.internal.EngineContext;
import io.holdfast.saga.internal.Texts;
import io.holdfast.saga.jdbc.internal.JdbcTransaction;
import io.holdfast.saga.jdbc.internal.reservation.ReservationSql.Of;
import io.holdfast.saga.jdbc.internal.reservation.ReservationSql.ReservationKey;
import io.holdfast.saga.jdbc.reservation.NotAvailableException;
import io.holdfast.saga.jdbc.reservation.Reservation;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Something that there is only one of; the database's unique index keeps it so. */
public final class ExclusiveReservation<D> implements Reservation<D> {
    private static final int LONGEST = 200;

    /** Between a refusal and the look at who has it, it may have become free. */
    private static final int MOST_TRIES = 3;

    private final String resource;
    private final Function<? super D, ?> id;
    private final Duration ttl;
    private final ReservationSteps<D> steps;

    private ExclusiveReservation(String resource, Function<? super D, ?> id, Duration ttl, ReservationSteps<D> steps) {
        this.resource = resource;
        this.id = id;
        this.ttl = ttl;
        this.steps = steps;
    }

    /** A reservation with the default time to live. */
    public static <D> ExclusiveReservation<D> of(String resource, Function<? super D, ?> id) {
        Checks.notNull("resource", resource);
        if (resource.isBlank() || resource.length() > LONGEST || !Texts.isStorable(resource)) {
            throw new SagaDefinitionException(
                    SagaError.INVALID_RESERVATION,
                    "exclusive resource \"" + Texts.printable(resource) + "\" is refused: its name must be 1 to "
                            + LONGEST + " characters, not blank, without NUL and unpaired surrogates");
        }
        return new ExclusiveReservation<>(resource, id, Ttl.DEFAULT, new ReservationSteps<>(resource));
    }

    @Override
    public Reservation<D> ttl(Duration timeToLive) {
        return new ExclusiveReservation<>(resource, id, Ttl.checked(timeToLive), steps);
    }

    @Override
    public CompensatableStep<D> reserve(String step) {
        return steps.reserve(step, this::reserve, ctx -> text(id.apply(ctx.data())), dsl -> {});
    }

    @Override
    public RetriableStep<D> settle(String step) {
        return steps.ending(step, Reserved::settle, dsl -> {});
    }

    @Override
    public RetriableStep<D> release(String step) {
        return steps.ending(step, Reserved::release, dsl -> {});
    }

    private Reserved reserve(EngineContext<D> ctx, JdbcTransaction transaction, ReservationKey key) {
        Of of = new Of(resource, text(id.apply(ctx.data())));
        String what = resource + " " + Texts.printable(of.id());
        ReservationSql sql = new ReservationSql(transaction);
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            if (sql.take(key, of, ttl)) {
                return new Reserved(key, what, null);
            }
            Optional<String> holder = sql.holder(of);
            if (holder.isPresent()) {
                throw new NotAvailableException(what + " is taken: " + holder.get() + ". Nothing was reserved", 1, 0);
            }
        }
        throw new NotAvailableException(
                what + " cannot be reserved by step \"" + key.step() + "\": its own reservation " + sql.fate(key)
                        + " already, or others come and go",
                1,
                0);
    }

    private String text(@Nullable Object one) {
        boolean known = one instanceof String || one instanceof UUID || one instanceof Number;
        String text = known ? String.valueOf(one) : "";
        if (text.isEmpty() || !Texts.isStorable(text)) {
            throw new SagaUsageException(
                    SagaError.ROW_ID_INVALID,
                    "id "
                            + (known
                                    ? "\"" + Texts.printable(text) + "\""
                                    : "of "
                                            + (one == null
                                                    ? "null"
                                                    : one.getClass().getName()))
                            + " of " + resource + " is refused; give a String that is not empty, a UUID or a Number");
        }
        return text;
    }
}
