package io.holdfast.saga.jdbc.internal.edit;

import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.internal.Resource;
import io.holdfast.saga.internal.Texts;
import io.holdfast.saga.jdbc.internal.table.Registrable;
import io.holdfast.saga.jdbc.internal.table.TableCheck;
import io.holdfast.saga.jdbc.internal.table.TableSpec;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jooq.DSLContext;

/** The columns of an edit, as definitions know them. */
record EditedTable(TableSpec spec, List<String> columns) implements Resource, Registrable {
    private static final Set<String> VERSIONS = Set.of("int2", "int4", "int8", "timestamptz");

    EditedTable with(String column) {
        TableSpec.checked("edited column", column);
        boolean taken = spec.ids().contains(column) || spec.version().equals(column) || columns.contains(column);
        if (taken) {
            throw refused(
                    "column \"" + Texts.printable(column) + "\" is set twice, or is the version or part of the key");
        }
        return new EditedTable(
                spec, Stream.concat(columns.stream(), Stream.of(column)).toList());
    }

    void requireColumns() {
        if (columns.isEmpty()) {
            throw refused("it sets no column");
        }
    }

    private SagaDefinitionException refused(String why) {
        return new SagaDefinitionException(SagaError.INVALID_EDIT, "edit of " + spec.quoted() + " is refused: " + why);
    }

    @Override
    public Object token() {
        return this;
    }

    @Override
    public String table() {
        return spec.quoted();
    }

    @Override
    public void register(DSLContext dsl) {
        TableCheck check = TableCheck.of(dsl, spec);
        check.require(
                "version",
                spec.version(),
                VERSIONS,
                "smallint, int, bigint and timestamptz; a timestamp without time zone means another moment on every node");
        columns.forEach(column -> check.column("edited", column));
    }
}
