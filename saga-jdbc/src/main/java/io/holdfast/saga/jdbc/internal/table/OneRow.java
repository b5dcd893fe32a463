package io.holdfast.saga.jdbc.internal.table;

import io.holdfast.saga.jdbc.ValueRefusedException;
import java.util.List;
import java.util.function.Supplier;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;

/**
 * One row of a business table, as statements name it.
 *
 * @param spec its table
 * @param id one text per column of the key
 */
public record OneRow(TableSpec spec, List<String> id) {
    private static final String ALIAS = "t";

    /** A value the column cannot hold, or a constraint. */
    private static final List<String> VALUE = List.of("22", "23");

    /** The row that a value of the application's identifies. */
    public static OneRow of(TableSpec spec, Object id) {
        return new OneRow(spec, RowIds.of(spec, id));
    }

    /** Its table, under an alias. */
    public Table<Record> table() {
        return DSL.table(spec.name()).as(ALIAS);
    }

    /** One of its columns, in whatever type. */
    public Field<String> column(String name) {
        return DSL.field(DSL.name(ALIAS, name), Untyped.TYPE);
    }

    /** The columns of its key. */
    public List<Field<String>> keys() {
        return spec.ids().stream().map(this::column).toList();
    }

    /** That it is this row. */
    public Condition here() {
        Condition here = DSL.noCondition();
        for (int i = 0; i < id.size(); i++) {
            here = here.and(column(spec.ids().get(i)).eq(id.get(i)));
        }
        return here;
    }

    /** Runs a statement that writes it; what the column or a constraint refuses is a business failure. */
    public <T> T writing(Supplier<T> statement) {
        try {
            return statement.get();
        } catch (DataAccessException e) {
            if (VALUE.stream().anyMatch(e.sqlState()::startsWith)) {
                throw new ValueRefusedException(
                        this + " does not take the new value: a column's type or a constraint refuses it (SQLSTATE "
                                + e.sqlState() + "). Nothing was changed",
                        e);
            }
            throw e;
        }
    }

    @Override
    public String toString() {
        return RowIds.print(spec, id);
    }
}
