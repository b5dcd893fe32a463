package io.holdfast.saga.jdbc.internal.lock;

import io.holdfast.saga.jdbc.internal.table.TableSpec;
import io.holdfast.saga.jdbc.internal.table.Untyped;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Name;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * Which rows of a table are settled, for readers. Held by nobody is one half; the other is that the status is not the pending one, which a row
 * keeps whose holder was removed by hand. The holder stands alone on its side, so that a partial index on it serves.
 *
 * @param table its names
 * @param pending the status of a held row
 */
record InFlight(TableSpec table, String pending) {
    /** Of the table under its own name. */
    Condition settled() {
        return settled(table.name());
    }

    /** Of the table under an alias. */
    Condition settledAs(String alias) {
        return settled(DSL.name(TableSpec.checked("alias", alias)));
    }

    private Condition settled(Name prefix) {
        return column(prefix, table.holder())
                .isNull()
                .and(column(prefix, table.status()).isDistinctFrom(DSL.val(pending, Untyped.TYPE)));
    }

    /** Never null. */
    Field<Boolean> inFlight() {
        return DSL.field(DSL.not(settled()));
    }

    private static Field<String> column(Name prefix, String name) {
        return DSL.field(prefix.append(name), Untyped.TYPE);
    }

    /** As it stands in a view. */
    String sql(Condition condition) {
        return DSL.using(SQLDialect.POSTGRES).renderInlined(condition);
    }
}
