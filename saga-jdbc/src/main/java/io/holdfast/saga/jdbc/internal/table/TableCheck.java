package io.holdfast.saga.jdbc.internal.table;

import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.internal.Texts;
import io.holdfast.saga.jdbc.internal.table.Catalog.Column;
import io.holdfast.saga.jdbc.internal.table.Catalog.Relation;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jooq.DSLContext;

/** Whether a table is what a tool needs: every reason against it is given when it is registered, not by the first saga. */
public final class TableCheck {
    private static final Set<String> ID_TYPES = Set.of("int2", "int4", "int8", "uuid", "text", "varchar");

    private final TableSpec table;
    private final Catalog catalog;
    private final Relation relation;
    private final Map<String, Column> columns;

    private TableCheck(TableSpec table, Catalog catalog, Relation relation) {
        this.table = table;
        this.catalog = catalog;
        this.relation = relation;
        this.columns = catalog.columns(relation);
    }

    /**
     * Looks at a table: that it is one, that its updates are not rewritten, and that its key is unique.
     *
     * @throws SagaDefinitionException when it is not fit; the message says why
     */
    public static TableCheck of(DSLContext dsl, TableSpec table) {
        Catalog catalog = new Catalog(dsl);
        Relation relation = catalog.relation(table.qualifiedName())
                .orElseThrow(() ->
                        missing(table, catalog.schemasWith(table.qualifiedName().get(1))));
        TableCheck check = new TableCheck(table, catalog, relation);
        check.relation();
        check.key();
        return check;
    }

    private static SagaDefinitionException missing(TableSpec table, List<String> schemas) {
        return TableSpec.refused("there is no table " + table.quoted() + " (the search path is not used)"
                + (schemas.isEmpty()
                        ? ""
                        : "; tables of that name are in schemas " + schemas
                                + ": name the schema too, as in of(\"schema\", \"table\")"));
    }

    private void relation() {
        if (!relation.kind().equals("r") && !relation.kind().equals("p")) {
            throw refused("it is no table (relkind " + relation.kind() + "), and only tables can be locked row by row");
        }
        if (relation.hasUpdateRule()) {
            throw refused("a rule rewrites its updates, so that nobody can tell whether a row took the mark");
        }
    }

    private void key() {
        for (String id : table.ids()) {
            require("id", id, ID_TYPES, "smallint, int, bigint, uuid, text or varchar");
        }
        Set<String> key = new HashSet<>(table.ids());
        if (catalog.uniqueKeys(relation).stream().noneMatch(key::containsAll)) {
            throw refused("no primary key or unique index makes " + table.ids()
                    + " unique (partial, deferrable and expression" + " indexes do not)");
        }
    }

    /** A column of one of these types. */
    public Column require(String role, String name, Set<String> types, String supported) {
        Column column = column(role, name);
        if (!types.contains(column.base())) {
            throw unfit(role, name, column, "supported are " + supported);
        }
        return column;
    }

    /** A column that can be written. */
    public Column column(String role, String name) {
        Column column = columns.get(name);
        if (column == null) {
            throw refused("it has no column \"" + Texts.printable(name) + "\" for the " + role + " (has "
                    + new TreeSet<>(columns.keySet()) + "); BusinessTable.ddl() prints what is missing");
        }
        if (column.generated()) {
            throw unfit(role, name, column, "computed by the database");
        }
        return column;
    }

    /** The labels of an enum's column. */
    public Set<String> labels(Column column) {
        return catalog.labels(column);
    }

    /** A column that can be null. */
    public void requireNullable(String role, String name, Column column) {
        if (column.notNull()) {
            throw unfit(role, name, column, "not null, but null must be possible there");
        }
    }

    /** A refusal that names a column. */
    public SagaDefinitionException unfit(String role, String name, Column column, String why) {
        return refused(
                "its " + role + " column \"" + Texts.printable(name) + "\" is of type " + column.type() + ": " + why);
    }

    /** A refusal. */
    public SagaDefinitionException refused(String why) {
        return TableSpec.refused("table " + table.quoted() + " is refused: " + why);
    }
}
