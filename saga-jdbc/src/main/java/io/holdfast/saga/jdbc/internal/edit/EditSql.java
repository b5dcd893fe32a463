package io.holdfast.saga.jdbc.internal.edit;

import io.holdfast.saga.RowUnavailableException;
import io.holdfast.saga.RowUnavailableException.Reason;
import io.holdfast.saga.jdbc.ValueRefusedException;
import io.holdfast.saga.jdbc.internal.table.OneRow;
import io.holdfast.saga.jdbc.internal.table.Untyped;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** The two statements of an edit: the row is locked and read, and then written, with its next version. */
final class EditSql {
    private final DSLContext dsl;
    private final OneRow row;
    private final Field<String> version;

    /**
     * The row as it is, locked.
     *
     * @param version as the database prints it
     * @param asExpected whether it is the expected one
     * @param isTime whether versions are moments
     * @param values of the columns asked for, as the database prints them
     */
    record Seen(@Nullable String version, boolean asExpected, boolean isTime, Map<String, @Nullable String> values) {}

    EditSql(DSLContext dsl, OneRow row) {
        this.dsl = dsl;
        this.row = row;
        this.version = row.column(row.spec().version());
    }

    Seen lock(@Nullable String expected, List<String> columns) {
        List<Field<?>> fields = new ArrayList<>();
        fields.add(text(version));
        fields.add(DSL.field(version.isNotDistinctFrom(DSL.val(expected, Untyped.TYPE))));
        fields.add(isTime());
        columns.forEach(column -> fields.add(text(row.column(column))));
        Record found = row.writing(() -> dsl.select(fields)
                .from(row.table())
                .where(row.here())
                .forNoKeyUpdate()
                .fetchOne());
        if (found == null) {
            throw new RowUnavailableException(Reason.MISSING, row + " is not there, so it cannot be edited");
        }
        Map<String, @Nullable String> values = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            values.put(columns.get(i), found.get(3 + i, String.class));
        }
        return new Seen(
                found.get(0, String.class),
                found.get(1, Boolean.class),
                Boolean.TRUE.equals(found.get(2, Boolean.class)),
                values);
    }

    /** The row must be locked. Answers the version it really got: a trigger of the application may have a say in it. */
    String write(Seen seen, Map<String, @Nullable String> values) {
        Map<Field<?>, Object> assignments = new LinkedHashMap<>();
        values.forEach((column, value) -> assignments.put(row.column(column), DSL.val(value, Untyped.TYPE)));
        assignments.put(version, seen.isTime ? laterMoment() : nextNumber());
        Record written = row.writing(() -> dsl.update(row.table())
                .set(assignments)
                .where(row.here())
                .returningResult(text(version))
                .fetchOne());
        String after = written == null ? null : written.get(0, String.class);
        if (after == null || after.equals(seen.version)) {
            throw new ValueRefusedException(
                    row + " did not take a new version (it had " + seen.version + " and has " + after
                            + "): a trigger or rule is in the way. Nothing was changed",
                    null);
        }
        return after;
    }

    /** Of a domain, what is below it. */
    private Field<Boolean> isTime() {
        return DSL.field(
                "(select coalesce(nullif(v.typbasetype, 0), v.oid) = 'pg_catalog.timestamptz'::regtype"
                        + " from pg_catalog.pg_type v where v.oid = pg_typeof({0})::oid)",
                SQLDataType.BOOLEAN, version);
    }

    private Field<?> nextNumber() {
        return DSL.field("coalesce({0}, 0) + 1", SQLDataType.OTHER, version);
    }

    /** Two edits within a microsecond are two versions all the same. */
    private Field<?> laterMoment() {
        return DSL.field("greatest(clock_timestamp(), {0} + interval '1 microsecond')", SQLDataType.OTHER, version);
    }

    private static Field<String> text(Field<String> field) {
        return field.cast(SQLDataType.CLOB);
    }
}
