package io.holdfast.saga.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.examples.shop.ShopSchema;
import io.holdfast.saga.jdbc.Schema;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The SQL that the documentation tells people to run is run, on the saga tables and the shop's. */
@PostgresTest
class DocumentationSqlTest {
    private static final Pattern SQL = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL);

    @Test
    void it_runs(TestDatabase database) throws IOException {
        Schema.migrate(database.dataSource(), Schema.DEFAULT_NAME);
        ShopSchema.create(database.dataSource());
        List<String> blocks = blocks();
        assertThat(blocks).hasSizeGreaterThan(5);
        for (String block : blocks) {
            Sql.execute(
                    database.dataSource(), block.replace("…", UUID.randomUUID().toString()));
        }
    }

    private static List<String> blocks() throws IOException {
        List<String> blocks = new ArrayList<>();
        try (Stream<Path> docs = Files.walk(Path.of("..", "docs"))) {
            for (Path page :
                    docs.filter(file -> file.toString().endsWith(".md")).toList()) {
                SQL.matcher(Files.readString(page)).results().forEach(block -> blocks.add(block.group(1)));
            }
        }
        return blocks;
    }
}
