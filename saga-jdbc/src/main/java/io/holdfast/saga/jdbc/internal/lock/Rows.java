package io.holdfast.saga.jdbc.internal.lock;

import io.holdfast.saga.jdbc.internal.table.TableSpec;
import io.holdfast.saga.jdbc.internal.table.Untyped;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.RowN;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * A business table as statements name it. Everything from the application is either a quoted name or a bind value.
 *
 * @param spec its names
 * @param table under the alias t
 * @param ids the columns of the key
 * @param status the status column
 * @param holder the holder column
 * @param deadline the deadline column
 */
record Rows(
        TableSpec spec,
        Table<Record> table,
        List<Field<String>> ids,
        Field<String> status,
        Field<String> holder,
        Field<OffsetDateTime> deadline) {
    private static final String ALIAS = "t";

    /** Read where it is written, never at the transaction's start: who waited for a row would set a deadline already over. */
    static final Field<OffsetDateTime> CLOCK = DSL.field("clock_timestamp()", SQLDataType.TIMESTAMPWITHTIMEZONE);

    static Rows of(TableSpec spec) {
        return new Rows(
                spec,
                DSL.table(spec.name()).as(ALIAS),
                spec.ids().stream().map(Rows::column).toList(),
                column(spec.status()),
                column(spec.holder()),
                DSL.field(DSL.name(ALIAS, spec.deadline()), SQLDataType.TIMESTAMPWITHTIMEZONE));
    }

    private static Field<String> column(String name) {
        return DSL.field(DSL.name(ALIAS, name), Untyped.TYPE);
    }

    /** The columns of the key under names of the library's own: k1, k2, … */
    List<Field<String>> keys(String alias) {
        List<Field<String>> keys = new ArrayList<>();
        for (int i = 1; i <= ids.size(); i++) {
            keys.add(DSL.field(DSL.name(alias, "k" + i), Untyped.TYPE));
        }
        return keys;
    }

    /** The columns of the key, selected under those names. */
    List<Field<String>> idsAsKeys() {
        List<Field<String>> keys = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            keys.add(ids.get(i).as("k" + (i + 1)));
        }
        return keys;
    }

    /** Row by row the same key. */
    Condition sameKey(List<Field<String>> one, List<Field<String>> other) {
        Condition same = DSL.noCondition();
        for (int i = 0; i < one.size(); i++) {
            same = same.and(one.get(i).eq(other.get(i)));
        }
        return same;
    }

    /** The rows with these ids. */
    Condition among(List<List<String>> wanted) {
        if (ids.size() == 1) {
            return ids.get(0).in(wanted.stream().map(id -> id.get(0)).toList());
        }
        return DSL.row(ids).in(wanted.stream().map(Rows::values).toArray(RowN[]::new));
    }

    private static RowN values(List<String> id) {
        return DSL.row(id.stream().map(part -> DSL.val(part, Untyped.TYPE)).toList());
    }

    /** A moment later than another. */
    static Field<OffsetDateTime> later(Field<OffsetDateTime> moment, Duration by) {
        return DSL.field(
                "({0} + {1} * interval '1 millisecond')",
                SQLDataType.TIMESTAMPWITHTIMEZONE, moment, DSL.val(by.toMillis()));
    }

    /** As the database prints it. */
    static Field<String> text(Field<?> field) {
        return field.cast(SQLDataType.CLOB);
    }
}
