package io.holdfast.saga.jdbc.internal.reservation;

import io.holdfast.saga.jdbc.internal.table.Registrable;
import io.holdfast.saga.jdbc.internal.table.TableCheck;
import io.holdfast.saga.jdbc.internal.table.TableSpec;
import java.util.Set;
import org.jooq.DSLContext;

/** The column that says how many units there are. */
record CapacityColumn(TableSpec spec, String name) implements Registrable {
    private static final Set<String> NUMBERS = Set.of("int2", "int4", "int8", "numeric");

    CapacityColumn {
        TableSpec.checked("capacity column", name);
    }

    CapacityColumn named(String other) {
        return new CapacityColumn(spec, other);
    }

    @Override
    public void register(DSLContext dsl) {
        TableCheck.of(dsl, spec).require("capacity", name, NUMBERS, "smallint, int, bigint and numeric");
    }
}
