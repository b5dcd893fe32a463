package io.holdfast.saga.jdbc.internal.table;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jooq.DSLContext;
import org.jooq.Record;

/** What the database's catalog says about a table. Names are values here, compared exactly; the search path plays no part. */
public final class Catalog {
    private final DSLContext dsl;

    Catalog(DSLContext dsl) {
        this.dsl = dsl;
    }

    /**
     * A relation.
     *
     * @param oid its id
     * @param kind r for a table, p for a partitioned one, v for a view, …
     * @param hasUpdateRule whether a rule rewrites updates of it
     */
    record Relation(long oid, String kind, boolean hasUpdateRule) {}

    /**
     * A column.
     *
     * @param type as the database prints it
     * @param base what is below a domain: the name of a built-in type, or empty
     * @param enumType its enum type, 0 for none
     * @param length the most characters of a varchar, negative for any number
     * @param notNull whether it cannot be null
     * @param generated whether the database computes it
     */
    public record Column(String type, String base, long enumType, int length, boolean notNull, boolean generated) {}

    Optional<Relation> relation(List<String> qualifiedName) {
        return dsl.fetch("""
                        select cast(c.oid as bigint), cast(c.relkind as text),
                               exists (select 1 from pg_catalog.pg_rewrite w
                                       where w.ev_class = c.oid and w.ev_type = '2' and w.rulename <> '_RETURN')
                        from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
                        where n.nspname = ? and c.relname = ?\
                        """, qualifiedName.get(0), qualifiedName.get(1)).stream()
                .map(found ->
                        new Relation(found.get(0, Long.class), found.get(1, String.class), found.get(2, Boolean.class)))
                .findFirst();
    }

    /** Where else there are tables of that name. */
    List<String> schemasWith(String table) {
        return dsl.fetch("""
                        select cast(n.nspname as text)
                        from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
                        where c.relname = ? and c.relkind in ('r', 'p') order by 1 limit 5\
                        """, table).getValues(0, String.class);
    }

    Map<String, Column> columns(Relation relation) {
        Map<String, Column> columns = new HashMap<>();
        for (Record found : dsl.fetch("""
                with recursive base as (
                    select a.attname, a.atttypid as type, a.atttypmod as modifier, a.attnotnull as required
                    from pg_catalog.pg_attribute a where a.attrelid = ? and a.attnum > 0 and not a.attisdropped
                    union all
                    select b.attname, t.typbasetype, greatest(t.typtypmod, b.modifier), b.required or t.typnotnull
                    from base b join pg_catalog.pg_type t on t.oid = b.type where t.typtype = 'd')
                select cast(a.attname as text), format_type(a.atttypid, a.atttypmod),
                       case when n.nspname = 'pg_catalog' then cast(t.typname as text) else '' end,
                       case when t.typtype = 'e' then cast(t.oid as bigint) else 0 end,
                       b.modifier - 4, b.required, a.attgenerated <> ''
                from base b
                join pg_catalog.pg_type t on t.oid = b.type and t.typtype <> 'd'
                join pg_catalog.pg_namespace n on n.oid = t.typnamespace
                join pg_catalog.pg_attribute a on a.attname = b.attname and a.attrelid = ?\
                """, relation.oid, relation.oid)) {
            columns.put(
                    found.get(0, String.class),
                    new Column(
                            found.get(1, String.class),
                            found.get(2, String.class),
                            found.get(3, Long.class),
                            found.get(4, Integer.class),
                            found.get(5, Boolean.class),
                            found.get(6, Boolean.class)));
        }
        return columns;
    }

    Set<String> labels(Column column) {
        return Set.copyOf(dsl.fetch(
                        "select cast(e.enumlabel as text) from pg_catalog.pg_enum e where e.enumtypid = ?",
                        column.enumType)
                .getValues(0, String.class));
    }

    /** The columns of each unique index that holds for every row at once. */
    List<Set<String>> uniqueKeys(Relation relation) {
        return dsl.fetch("""
                          select array(select cast(a.attname as text)
                                       from unnest(i.indkey) with ordinality k (attnum, place)
                                       join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
                                       where k.place <= i.indnkeyatts)
                          from pg_catalog.pg_index i
                          where i.indrelid = ? and i.indisunique and i.indisvalid and i.indimmediate
                            and i.indpred is null and i.indexprs is null\
                          """, relation.oid).getValues(0, String[].class).stream()
                .map(columns -> Arrays.stream(columns).collect(Collectors.toSet()))
                .toList();
    }
}
