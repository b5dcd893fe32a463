package io.holdfast.saga.jdbc.internal.counter;

import io.holdfast.saga.internal.Resource;
import io.holdfast.saga.jdbc.internal.table.Registrable;
import io.holdfast.saga.jdbc.internal.table.TableCheck;
import io.holdfast.saga.jdbc.internal.table.TableSpec;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/** The column of a counter, as definitions know it. */
record CountedColumn(TableSpec spec, String name) implements Resource, Registrable {
    private static final Set<String> NUMBERS = Set.of("int2", "int4", "int8", "numeric");

    CountedColumn {
        TableSpec.checked("counted column", name);
    }

    @Override
    public Object token() {
        return this;
    }

    @Override
    public String table() {
        return spec.quoted() + "." + TableSpec.quoted(DSL.name(name));
    }

    @Override
    public void register(DSLContext dsl) {
        TableCheck.of(dsl, spec)
                .require("counted", name, NUMBERS, "smallint, int, bigint and numeric: what adds up exactly");
    }
}
