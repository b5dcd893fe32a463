package io.holdfast.saga.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The page about tables and views says of each column what the database says; {@code -Dholdfast.docs.write=true} has it say so. */
@PostgresTest
class TablesPageTest {
    private static final Path PAGE = Path.of("..", "docs", "reference", "tables.md");
    private static final String BEGIN = "<!-- catalog begins -->\n";
    private static final String END = "<!-- catalog ends -->\n";

    private static final String RELATIONS = """
            select c.oid, c.relname as name, c.relkind = 'v' as view, obj_description(c.oid, 'pg_class') as says
            from pg_class c
            where c.relnamespace = 'holdfast'::regnamespace and c.relkind in ('r', 'v')
            order by c.relkind, c.relname = 'saga_schema', c.relname
            """;
    private static final String COLUMNS = """
            select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as given,
                   coalesce(col_description(a.attrelid, a.attnum), '') as says
            from pg_attribute a
            where a.attrelid = ? and a.attnum > 0 and not a.attisdropped
            order by a.attnum
            """;
    private static final String NAMES = """
            select conname as name from pg_constraint
            where connamespace = 'holdfast'::regnamespace and contype = 'c'
            union all
            select indexrelid::regclass::text from pg_index join pg_class c on c.oid = indrelid
            where c.relnamespace = 'holdfast'::regnamespace and not indisprimary
            """;

    private final TestDatabase database;

    TablesPageTest(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void createTables() {
        Schema.migrate(database.dataSource(), Schema.DEFAULT_NAME);
    }

    @Test
    void the_page_is_what_the_catalog_says() throws IOException {
        String page = Files.readString(PAGE);
        assertThat(page).contains(BEGIN, END);
        String right =
                page.substring(0, page.indexOf(BEGIN) + BEGIN.length()) + catalog() + page.substring(page.indexOf(END));
        if (Boolean.getBoolean("holdfast.docs.write")) {
            Files.writeString(PAGE, right);
        }
        assertThat(Files.readString(PAGE)).isEqualTo(right);
    }

    @Test
    void the_page_names_every_check_and_index() throws IOException {
        String page = Files.readString(PAGE);
        for (Map<String, Object> row : Sql.rows(database.dataSource(), NAMES)) {
            assertThat(page).contains("`" + String.valueOf(row.get("name")).replace("holdfast.", "") + "`");
        }
    }

    private String catalog() {
        return Sql.rows(database.dataSource(), RELATIONS).stream()
                .map(this::relation)
                .collect(Collectors.joining());
    }

    private String relation(Map<String, Object> relation) {
        boolean view = Boolean.TRUE.equals(relation.get("view"));
        List<Map<String, Object>> columns = Sql.rows(database.dataSource(), COLUMNS, relation.get("oid"));
        return "\n### " + (view ? "View `" : "Table `") + relation.get("name") + "`\n\n" + relation.get("says") + "\n\n"
                + (view ? "| column | type | |\n|---|---|---|\n" : "| column | type | null | |\n|---|---|---|---|\n")
                + columns.stream().map(column -> line(column, view)).collect(Collectors.joining());
    }

    private static String line(Map<String, Object> column, boolean view) {
        String nullable = view ? "" : " | " + (Boolean.TRUE.equals(column.get("given")) ? "" : "yes");
        return ("| `" + column.get("name") + "` | " + column.get("type") + nullable + " | " + column.get("says")
                        + " |\n")
                .replace("|  |", "| |");
    }
}
