package io.holdfast.saga.jdbc;

import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaStoreException;
import io.holdfast.saga.jdbc.internal.SchemaName;
import io.holdfast.saga.jdbc.internal.SchemaScript;
import io.holdfast.saga.jdbc.internal.SchemaScripts;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * The saga tables: {@code saga}, {@code saga_log} and {@code saga_schema} (which versions were applied), in a schema of your
 * choice. Nothing is created unless you ask: print the DDL and apply it with your own tool, or let {@link #migrate} do it. All
 * methods are static and threadsafe.
 *
 * <p>The scripts are plain SQL on the class path, {@code io/holdfast/saga/jdbc/schema/V1__sagas.sql} and on, in the format of
 * Flyway; {@code ${schema}} stands for the quoted name. A later version only adds, so that nodes with an older library go on
 * working; what differs from that is said in the release's upgrade notes.
 */
public final class Schema {
    /** The schema that is used when none is named: {@value}. */
    public static final String DEFAULT_NAME = "holdfast";

    private Schema() {}

    /**
     * All DDL, from an empty database to this version of the library. No input or output.
     *
     * @param schemaName the name of the schema as it is, not quoted; 1 to 63 bytes
     * @return SQL text, statements ended by semicolons
     * @throws SagaDefinitionException when the name is null (SAGA-106), or is blank, too long or holds what a name cannot
     *     (SAGA-101)
     */
    public static String ddl(String schemaName) {
        SchemaName name = SchemaName.of(schemaName);
        return SchemaScripts.ALL.stream()
                .map(script -> script.text(name))
                .collect(Collectors.joining("\n", "CREATE SCHEMA IF NOT EXISTS " + name.quoted() + ";\n\n", ""));
    }

    /**
     * Applies what is missing, in one transaction: creates the schema where it is not there, then each version that is not
     * recorded yet. Does nothing when nothing is missing. When several nodes call it at once, one applies and the others wait
     * for it. The connection goes back with the autocommit mode it came with.
     *
     * @param dataSource where; its user must be allowed to create tables (and the schema, where it is not there)
     * @param schemaName the name of the schema as it is, not quoted; 1 to 63 bytes
     * @throws SagaDefinitionException when an argument is null (SAGA-106), the name is not valid (SAGA-101) or the server refuses
     *     the DDL (SAGA-122); nothing was applied
     * @throws SagaStoreException when the database cannot be reached (SAGA-601): repeat the call
     */
    public static void migrate(DataSource dataSource, String schemaName) {
        SchemaScripts.migrate(dataSource, SchemaName.of(schemaName));
    }

    /**
     * Makes sure that the tables are there, at the version of this library or a later one. Reads only; the engine does the same
     * when it is built.
     *
     * @param dataSource where
     * @param schemaName the name of the schema as it is, not quoted; 1 to 63 bytes
     * @throws SagaDefinitionException when an argument is null (SAGA-106), the name is not valid (SAGA-101), or the tables are
     *     missing, too old or cannot be read (SAGA-122); the message says what to do
     * @throws SagaStoreException when the database cannot be reached (SAGA-601): repeat the call
     */
    public static void check(DataSource dataSource, String schemaName) {
        SchemaScripts.check(dataSource, SchemaName.of(schemaName));
    }

    /**
     * The version of the tables that this library needs.
     *
     * @return 1 or more
     */
    public static int version() {
        return SchemaScripts.ALL.stream().mapToInt(SchemaScript::version).max().orElseThrow();
    }
}
