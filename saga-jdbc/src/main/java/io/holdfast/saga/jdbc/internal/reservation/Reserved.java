package io.holdfast.saga.jdbc.internal.reservation;

import io.holdfast.saga.internal.Receipt;
import io.holdfast.saga.jdbc.internal.JdbcTransaction;
import io.holdfast.saga.jdbc.internal.counter.Delta;
import io.holdfast.saga.jdbc.internal.reservation.ReservationSql.ReservationKey;
import io.holdfast.saga.jdbc.internal.table.OneRow;
import io.holdfast.saga.jdbc.internal.table.ReceiptJson;
import io.holdfast.saga.jdbc.reservation.ReservationLostException;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A reservation that was made, as its journal entry keeps it: all that settling and undoing need, whatever the code says by then.
 *
 * @param key which
 * @param what of what, for people
 * @param units from where the quantity is taken; null for what is exclusive
 */
record Reserved(ReservationKey key, String what, @Nullable Units units) {
    /** So many of what a column says. */
    record Units(OneRow row, String column, long quantity) {}

    Receipt receipt() {
        ObjectNode json =
                units == null ? ReceiptJson.of("reservation", what) : ReceiptJson.of("reservation", units.row);
        json.put("incarnation", key.incarnation().toString());
        json.put("step", key.step());
        if (units != null) {
            json.put("column", units.column);
            json.put("quantity", units.quantity);
        }
        return ReceiptJson.receipt(json);
    }

    static Reserved read(UUID sagaId, String receipt) {
        JsonNode json = ReceiptJson.read(receipt);
        return ReceiptJson.reading(() -> read(sagaId, json));
    }

    private static Reserved read(UUID sagaId, JsonNode json) {
        UUID incarnation = UUID.fromString(json.required("incarnation").stringValue());
        ReservationKey key =
                new ReservationKey(sagaId, incarnation, json.required("step").stringValue());
        if (!json.has("quantity")) {
            return new Reserved(key, json.required("reservation").stringValue(), null);
        }
        OneRow row = ReceiptJson.row(json);
        Units units = new Units(
                row,
                json.required("column").stringValue(),
                json.required("quantity").longValue());
        return new Reserved(key, row.toString(), units);
    }

    /** No expiry from here on. The row first, then the reservation: in the order in which others reserve. */
    void firm(JdbcTransaction transaction) {
        if (units != null) {
            Capacity.lock(transaction.dsl(), units.row);
        }
        ReservationSql sql = new ReservationSql(transaction);
        if (!sql.firm(key)) {
            throw lost(sql, "the pivot is not begun");
        }
    }

    /** Takes the units out of the column, whose row is locked by that. */
    void settle(JdbcTransaction transaction) {
        if (units != null) {
            new Delta(units.row, units.column, BigDecimal.valueOf(-units.quantity), null).apply(transaction.dsl());
        }
        ReservationSql sql = new ReservationSql(transaction);
        if (!sql.settle(key)) {
            throw lost(sql, "it cannot be settled");
        }
    }

    void release(JdbcTransaction transaction) {
        ReservationSql sql = new ReservationSql(transaction);
        if (!sql.release(key).equals(Optional.of("RELEASED"))) {
            throw lost(sql, "it cannot be released");
        }
    }

    /** What there is to say about it, if it was not simply given back. */
    Optional<String> cancel(JdbcTransaction transaction) {
        ReservationSql sql = new ReservationSql(transaction);
        Optional<String> state = sql.release(key);
        if (state.isEmpty()) {
            return Optional.of("nothing to give back: the reservation of " + what + " " + sql.fate(key));
        }
        return state.filter("EXPIRED"::equals).map(expired -> "the reservation of " + what + " had expired");
    }

    private ReservationLostException lost(ReservationSql sql, String consequence) {
        return new ReservationLostException(
                "the reservation of " + what + " by step \"" + key.step() + "\" " + sql.fate(key) + ": " + consequence);
    }
}
