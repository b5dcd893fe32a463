package io.holdfast.saga.jdbc.internal.reservation;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.RetriableStep;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.internal.EngineContext;
import io.holdfast.saga.jdbc.internal.JdbcTransaction;
import io.holdfast.saga.jdbc.internal.reservation.ReservationSql.Made;
import io.holdfast.saga.jdbc.internal.reservation.ReservationSql.Of;
import io.holdfast.saga.jdbc.internal.reservation.ReservationSql.ReservationKey;
import io.holdfast.saga.jdbc.internal.table.NumberColumn;
import io.holdfast.saga.jdbc.internal.table.OneRow;
import io.holdfast.saga.jdbc.internal.table.TableSpec;
import io.holdfast.saga.jdbc.reservation.NotAvailableException;
import io.holdfast.saga.jdbc.reservation.QuantityReservation;
import io.holdfast.saga.jdbc.reservation.ReservationLostException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** A share of the quantity in the row that a function finds in the data. */
public final class RowReservation<D> implements QuantityReservation<D> {
    /** The sum of a few still fits, whatever the database counts in. */
    private static final long MOST = 1L << 62;

    private final NumberColumn capacity;
    private final Share<D> share;
    private final Duration ttl;
    private final ReservationSteps<D> steps;

    /** Which row, and how much of it. */
    private record Share<D>(Function<? super D, ?> id, ToLongFunction<? super D> quantity) {}

    private RowReservation(NumberColumn capacity, Share<D> share, Duration ttl, ReservationSteps<D> steps) {
        this.capacity = capacity;
        this.share = share;
        this.ttl = ttl;
        this.steps = steps;
    }

    /** A reservation with the default column and time to live. */
    public static <D> RowReservation<D> of(
            TableSpec table, Function<? super D, ?> id, ToLongFunction<? super D> quantity) {
        return new RowReservation<>(
                new NumberColumn("capacity", table, "qty"),
                new Share<>(id, quantity),
                Ttl.DEFAULT,
                new ReservationSteps<>(table.quoted()));
    }

    @Override
    public QuantityReservation<D> capacityColumn(String name) {
        return new RowReservation<>(new NumberColumn(capacity.role(), capacity.spec(), name), share, ttl, steps);
    }

    @Override
    public QuantityReservation<D> ttl(Duration timeToLive) {
        return new RowReservation<>(capacity, share, Ttl.checked(timeToLive), steps);
    }

    @Override
    public CompensatableStep<D> reserve(String step) {
        return steps.reserve(step, this::reserve, this::quantity, capacity::register);
    }

    @Override
    public RetriableStep<D> settle(String step) {
        return steps.ending(step, Reserved::settle, capacity::register);
    }

    @Override
    public RetriableStep<D> release(String step) {
        return steps.ending(step, Reserved::release, capacity::register);
    }

    private long quantity(EngineContext<D> ctx) {
        long quantity = share.quantity.applyAsLong(ctx.data());
        if (quantity < 1 || quantity > MOST) {
            throw new SagaUsageException(
                    SagaError.VALUE_INVALID,
                    "a quantity of " + quantity + " cannot be reserved of "
                            + capacity.spec().quoted() + "; it must be 1 to " + MOST);
        }
        return quantity;
    }

    private Reserved reserve(EngineContext<D> ctx, JdbcTransaction transaction, ReservationKey key) {
        long quantity = quantity(ctx);
        OneRow row = OneRow.of(capacity.spec(), share.id.apply(ctx.data()));
        Capacity.Found there = Capacity.lock(transaction.dsl(), row, capacity.name());
        Of of = new Of(capacity.spec().quoted(), there.resourceId());
        ReservationSql sql = new ReservationSql(transaction);
        Made made = sql.reserve(key, of, quantity, there.units(), ttl);
        if (!made.made()) {
            throw refused(row, sql, key, quantity, there.units().subtract(made.taken()));
        }
        return new Reserved(key, row.toString(), new Reserved.Units(row, capacity.name(), quantity));
    }

    private RuntimeException refused(
            OneRow row, ReservationSql sql, ReservationKey key, long wanted, BigDecimal available) {
        if (available.compareTo(BigDecimal.valueOf(wanted)) >= 0) {
            return new ReservationLostException("step \"" + key.step() + "\" reserves too late: its reservation of "
                    + row + " " + sql.fate(key) + " already. Nothing was reserved");
        }
        long units = available.setScale(0, RoundingMode.FLOOR).longValue();
        return new NotAvailableException(
                row + ": " + wanted + " wanted and " + units + " available. Nothing was reserved", wanted, units);
    }
}
