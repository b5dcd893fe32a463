package io.holdfast.saga.jdbc.internal.lock;

import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.internal.Texts;
import io.holdfast.saga.jdbc.internal.lock.Catalog.Column;
import io.holdfast.saga.jdbc.internal.lock.Catalog.Relation;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jooq.DSLContext;

/** Whether a table is fit for locks: every reason against it is given when it is registered, not by the first saga. */
final class TableCheck {
    private static final Set<String> ID_TYPES = Set.of("int2", "int4", "int8", "uuid", "text", "varchar");
    private static final Set<String> HOLDER_TYPES = Set.of("uuid", "text", "varchar");
    private static final int UUID_CHARS = 36;

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

    static void check(DSLContext dsl, TableSpec table, Set<String> statuses) {
        Catalog catalog = new Catalog(dsl);
        Relation relation = catalog.relation(table.qualifiedName())
                .orElseThrow(() ->
                        missing(table, catalog.schemasWith(table.qualifiedName().get(1))));
        TableCheck check = new TableCheck(table, catalog, relation);
        check.relation();
        check.key();
        check.holder();
        check.deadline();
        check.status(statuses);
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

    private void holder() {
        Column holder = require("holder", table.holder(), HOLDER_TYPES, "uuid, text or varchar");
        requireNullable("holder", table.holder(), holder);
        if (holder.length() >= 0 && holder.length() < UUID_CHARS) {
            throw unfit(
                    "holder", table.holder(), holder, "shorter than the " + UUID_CHARS + " characters of a saga's id");
        }
    }

    private void deadline() {
        Column deadline = require(
                "deadline",
                table.deadline(),
                Set.of("timestamptz"),
                "timestamptz; a timestamp without time zone means another moment on every node");
        requireNullable("deadline", table.deadline(), deadline);
    }

    private void status(Set<String> statuses) {
        Column status = column("status", table.status());
        if (status.enumType() != 0) {
            Set<String> unknown = new TreeSet<>(statuses);
            unknown.removeAll(catalog.labels(status));
            if (!unknown.isEmpty()) {
                throw unfit("status", table.status(), status, "an enum without the labels " + unknown);
            }
            return;
        }
        require("status", table.status(), Set.of("text", "varchar"), "text, varchar or an enum");
        for (String value : statuses) {
            if (status.length() >= 0 && value.codePointCount(0, value.length()) > status.length()) {
                throw unfit("status", table.status(), status, "too short for \"" + Texts.printable(value) + "\"");
            }
        }
    }

    private Column require(String role, String name, Set<String> types, String supported) {
        Column column = column(role, name);
        if (!types.contains(column.base())) {
            throw unfit(role, name, column, "supported are " + supported);
        }
        return column;
    }

    private Column column(String role, String name) {
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

    private void requireNullable(String role, String name, Column column) {
        if (column.notNull()) {
            throw unfit(role, name, column, "not null, but null is what a free row has there");
        }
    }

    private SagaDefinitionException unfit(String role, String name, Column column, String why) {
        return refused(
                "its " + role + " column \"" + Texts.printable(name) + "\" is of type " + column.type() + ": " + why);
    }

    private SagaDefinitionException refused(String why) {
        return TableSpec.refused("table " + table.quoted() + " is refused: " + why);
    }
}
