package io.holdfast.saga.jdbc.internal.reservation;

import io.holdfast.saga.RowUnavailableException;
import io.holdfast.saga.RowUnavailableException.Reason;
import io.holdfast.saga.jdbc.ValueRefusedException;
import io.holdfast.saga.jdbc.internal.table.OneRow;
import java.math.BigDecimal;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * A row that says how many units there are. Whoever counts what is reserved of it, and whoever makes a reservation firm, holds its lock:
 * so no reservation becomes firm after somebody has counted it as expired.
 */
final class Capacity {
    private Capacity() {}

    /** How many, and the row's id as the database prints it. */
    record Found(BigDecimal units, String resourceId) {}

    /** Locks the row, and reads it as it is after the wait. */
    static Found lock(DSLContext dsl, OneRow row, String column) {
        Record found = row.writing(() -> dsl.select(row.column(column).cast(SQLDataType.CLOB), resourceId(row.keys()))
                .from(row.table())
                .where(row.here())
                .forNoKeyUpdate()
                .fetchOne());
        if (found == null) {
            throw new RowUnavailableException(Reason.MISSING, row + " is not there, so nothing of it can be reserved");
        }
        String units = found.get(0, String.class);
        if (units == null) {
            throw new ValueRefusedException(row + ": " + column + " is null, so nobody knows how many there are", null);
        }
        return new Found(new BigDecimal(units), found.get(1, String.class));
    }

    /** Locks the row; one that is gone locks nobody out. */
    static void lock(DSLContext dsl, OneRow row) {
        dsl.selectOne().from(row.table()).where(row.here()).forNoKeyUpdate().fetch();
    }

    /** The same text for the same row, in whatever type the key is given. */
    static Field<String> resourceId(List<Field<String>> key) {
        if (key.size() == 1) {
            return key.get(0).cast(SQLDataType.CLOB);
        }
        List<Field<String>> texts =
                key.stream().map(part -> part.cast(SQLDataType.CLOB)).toList();
        return DSL.function("jsonb_build_array", SQLDataType.OTHER, texts.toArray(Field[]::new))
                .cast(SQLDataType.CLOB);
    }
}
