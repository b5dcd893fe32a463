package io.holdfast.saga.jdbc.internal.counter;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import io.holdfast.saga.RowUnavailableException;
import io.holdfast.saga.RowUnavailableException.Reason;
import io.holdfast.saga.jdbc.ValueRefusedException;
import io.holdfast.saga.jdbc.counter.CounterLimitException;
import io.holdfast.saga.jdbc.internal.table.OneRow;
import io.holdfast.saga.jdbc.internal.table.Untyped;
import java.math.BigDecimal;
import java.util.Map;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record2;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * One change of one number.
 *
 * @param row where it is
 * @param column in which column
 * @param delta what is added; negative to take away
 * @param limit the floor of what is taken away, the ceiling of what is added; null for none
 */
public record Delta(
        OneRow row,
        String column,
        BigDecimal delta,
        @Nullable BigDecimal limit) {
    private static final Field<BigDecimal> BEFORE = field(name("r", "before"), SQLDataType.NUMERIC);
    private static final Field<String> BEFORE_TEXT = BEFORE.cast(SQLDataType.CLOB);
    private static final Field<String> AFTER_TEXT =
            field(name("u", "after"), Untyped.TYPE).cast(SQLDataType.CLOB);

    /** Changes it, and answers what it was. */
    public BigDecimal apply(DSLContext dsl) {
        Record2<String, String> found = row.writing(() -> change(dsl));
        if (found == null) {
            throw new RowUnavailableException(
                    Reason.MISSING, row + " is not there, so its " + column + " cannot change");
        }
        BigDecimal before = number(found.value1());
        if (found.value2() == null) {
            throw new CounterLimitException(row + ": " + column, before, delta, limit == null ? before : limit);
        }
        if (number(found.value2()).compareTo(before.add(delta)) != 0) {
            throw new ValueRefusedException(
                    row + ": " + column + " was " + before.toPlainString() + ", " + delta.toPlainString()
                            + " was added, and it became " + found.value2()
                            + ": the column rounds, or a trigger changes it. Nothing was changed",
                    null);
        }
        return before;
    }

    /** Locks the row (r), which shows what was committed last, and then changes it by a delta to exactly that (u). One round trip. */
    private @Nullable Record2<String, String> change(DSLContext dsl) {
        var locked = name("r")
                .asMaterialized(DSL.select(row.column(column).as("before"))
                        .from(row.table())
                        .where(row.here())
                        .forNoKeyUpdate());
        Field<BigDecimal> sum = BEFORE.plus(DSL.val(delta).cast(SQLDataType.NUMERIC));
        var changed = name("u")
                .as(DSL.update(row.table())
                        .set(Map.of(row.column(column), sum))
                        .from(table(name("r")))
                        .where(row.here())
                        .and(within(sum))
                        .returningResult(row.column(column).as("after")));
        return dsl.with(locked, changed)
                .select(BEFORE_TEXT, AFTER_TEXT)
                .from(table(name("r")))
                .leftJoin(table(name("u")))
                .on(DSL.trueCondition())
                .fetchOne();
    }

    private Condition within(Field<BigDecimal> sum) {
        if (limit == null) {
            return DSL.trueCondition();
        }
        return delta.signum() < 0 ? sum.ge(limit) : sum.le(limit);
    }

    private BigDecimal number(@Nullable String text) {
        try {
            return new BigDecimal(text == null ? "null" : text);
        } catch (NumberFormatException e) {
            throw new ValueRefusedException(
                    row + ": " + column + " is " + text + ", which is no number to change", null);
        }
    }
}
