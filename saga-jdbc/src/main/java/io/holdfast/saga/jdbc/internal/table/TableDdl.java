package io.holdfast.saga.jdbc.internal.table;

import java.util.ArrayList;
import java.util.List;
import org.jooq.impl.DSL;

/** What an existing table needs to be locked. Names stand in quotes only, never in SQL comments, which a line break would end. */
final class TableDdl {
    private TableDdl() {}

    static String of(TableSpec table) {
        String name = table.quoted();
        String holder = TableSpec.quoted(DSL.name(table.holder()));
        String deadline = TableSpec.quoted(DSL.name(table.deadline()));
        List<String> lines = new ArrayList<>();
        lines.add("ALTER TABLE " + name);
        lines.add("    ADD COLUMN IF NOT EXISTS " + holder + " uuid,");
        lines.add("    ADD COLUMN IF NOT EXISTS " + deadline + " timestamptz;");
        lines.add("COMMENT ON COLUMN " + name + "." + holder);
        lines.add("    IS 'The saga that holds the row; null: nobody. Written by Holdfast only.';");
        lines.add("COMMENT ON COLUMN " + name + "." + deadline);
        lines.add("    IS 'Until when the saga holds the row, renewed while it runs; once past, the next claim looks at"
                + " the saga.';");
        lines.add("-- Indexes: the library finds rows by their key. Do not index the deadline: it is renewed often, and"
                + " any index on it,");
        lines.add(
                "-- even a partial one, costs every renewal its HOT update. Room for HOT updates on each page helps:");
        lines.add("--   fillfactor = 90");
        lines.add("-- To list held rows of a large table, this index is enough:");
        lines.add("--   create index ... on (the holder column) where (the holder column) is not null");
        return String.join("\n", lines) + "\n";
    }
}
