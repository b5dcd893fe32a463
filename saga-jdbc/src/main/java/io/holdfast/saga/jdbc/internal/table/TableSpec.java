package io.holdfast.saga.jdbc.internal.table;

import static io.holdfast.saga.SagaError.INVALID_BUSINESS_TABLE;

import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.internal.Texts;
import io.holdfast.saga.jdbc.BusinessTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.Name;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * A business table's names, checked. Immutable.
 *
 * @param qualifiedName schema and table
 * @param ids the columns of the key, in order
 * @param status says how far the row's business is
 * @param holder the saga that holds the row
 * @param deadline until when it does
 * @param version counts changes
 */
public record TableSpec(
        List<String> qualifiedName, List<String> ids, String status, String holder, String deadline, String version)
        implements BusinessTable {
    /** A table alone stands here; the search path of whichever connection comes along is not asked. */
    static final String DEFAULT_SCHEMA = "public";

    public static final String VERSION = "version";

    private static final int MOST_BYTES = 63;
    private static final int MOST_ID_COLUMNS = 8;

    /** Checks everything. */
    public TableSpec {
        qualifiedName = List.copyOf(qualifiedName);
        ids = List.copyOf(ids);
        List<String> all = new ArrayList<>(ids);
        all.addAll(List.of(status, holder, deadline));
        Set<String> seen = new HashSet<>();
        for (String column : all) {
            if (!seen.add(column)) {
                throw refused("column \"" + Texts.printable(column) + "\" of " + qualifiedName.get(1)
                        + " is named twice; rename the other one first");
            }
        }
    }

    /** A table with the default columns. */
    public static TableSpec of(String @Nullable ... names) {
        if (names == null || names.length < 1 || names.length > 2) {
            throw refused("a table has one name, or two: schema and table");
        }
        for (String name : names) {
            checked("table name", name);
        }
        List<String> qualified = names.length == 2 ? List.of(names) : List.of(DEFAULT_SCHEMA, names[0]);
        return new TableSpec(qualified, List.of("id"), "status", "saga_id", "locked_until", VERSION);
    }

    /** What is behind the public type. */
    public static TableSpec of(BusinessTable table) {
        if (table instanceof TableSpec spec) {
            return spec;
        }
        throw refused("a business table is made by BusinessTable.of, not by "
                + table.getClass().getName());
    }

    @Override
    public TableSpec idColumn(String name) {
        return idColumns(name);
    }

    @Override
    public TableSpec idColumns(String @Nullable ... names) {
        if (names == null || names.length < 1 || names.length > MOST_ID_COLUMNS) {
            throw refused("a key has 1 to " + MOST_ID_COLUMNS + " columns");
        }
        for (String name : names) {
            checked("id column", name);
        }
        return new TableSpec(qualifiedName, List.of(names), status, holder, deadline, version);
    }

    @Override
    public TableSpec statusColumn(String name) {
        return new TableSpec(qualifiedName, ids, checked("status column", name), holder, deadline, version);
    }

    @Override
    public TableSpec holderColumn(String name) {
        return new TableSpec(qualifiedName, ids, status, checked("holder column", name), deadline, version);
    }

    @Override
    public TableSpec deadlineColumn(String name) {
        return new TableSpec(qualifiedName, ids, status, holder, checked("deadline column", name), version);
    }

    @Override
    public TableSpec versionColumn(String name) {
        return new TableSpec(qualifiedName, ids, status, holder, deadline, checked("version column", name));
    }

    @Override
    public String ddl() {
        return TableDdl.of(this);
    }

    @Override
    public Condition settled() {
        return DSL.field(name().append(holder)).isNull();
    }

    /** Schema and table, to be quoted. */
    public Name name() {
        return DSL.name(qualifiedName);
    }

    /** Schema and table as they stand in SQL. */
    public String quoted() {
        return quoted(name());
    }

    public static String quoted(Name name) {
        return DSL.using(SQLDialect.POSTGRES).render(name);
    }

    /** A name that means what it says: PostgreSQL cuts longer names without a word, and then another table may be meant. */
    public static String checked(String what, @Nullable String name) {
        if (name == null || name.isBlank() || !Texts.isStorable(name)) {
            throw refused(what + " \"" + (name == null ? "null" : Texts.printable(name))
                    + "\" is refused: it must not be null or blank, nor contain NUL or unpaired surrogates");
        }
        if (name.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
            throw refused(what + " \"" + Texts.printable(name) + "\" is refused: longer than " + MOST_BYTES + " bytes");
        }
        return name;
    }

    public static SagaDefinitionException refused(String why) {
        return new SagaDefinitionException(INVALID_BUSINESS_TABLE, why);
    }
}
