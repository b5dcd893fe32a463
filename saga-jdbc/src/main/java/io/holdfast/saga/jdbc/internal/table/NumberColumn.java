package io.holdfast.saga.jdbc.internal.table;

import io.holdfast.saga.internal.Resource;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/**
 * A column that a tool adds to and takes from, as definitions know it.
 *
 * @param role what the tool calls it, for messages
 * @param spec its table
 * @param name its name
 */
public record NumberColumn(String role, TableSpec spec, String name) implements Resource, Registrable {
    private static final Set<String> EXACT = Set.of("int2", "int4", "int8", "numeric");

    /** Checks the name. */
    public NumberColumn {
        TableSpec.checked(role + " column", name);
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
        TableCheck.of(dsl, spec).require(role, name, EXACT, "smallint, int, bigint and numeric: what adds up exactly");
    }
}
