package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.internal.Checks;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/** The versions of the tables, and how they are applied and looked for. */
public final class SchemaScripts {
    /** In order. */
    public static final List<SchemaScript> ALL = List.of(
            new SchemaScript(1, "V1__sagas.sql"),
            new SchemaScript(2, "V2__views.sql"),
            new SchemaScript(3, "V3__reservations.sql"));

    private SchemaScripts() {}

    /** Applies what is missing. */
    public static void migrate(DataSource dataSource, SchemaName schema) {
        SchemaChange.apply(dataSource, schema, connection -> {
            int applied = applied(connection, schema);
            for (SchemaScript script : ALL) {
                if (script.version() > applied) {
                    Jdbc.execute(connection, script.text(schema));
                }
            }
        });
    }

    /** Refuses tables that are missing or too old. */
    public static void check(DataSource dataSource, SchemaName schema) {
        Checks.notNull("data source", dataSource);
        int applied;
        try (Taken taken = Taken.forStatements(dataSource)) {
            applied = applied(taken.connection(), schema);
        } catch (SQLException e) {
            throw SchemaChange.refused(schema, "cannot be read", e);
        }
        int needed = ALL.get(ALL.size() - 1).version();
        if (applied < needed) {
            throw new SagaDefinitionException(
                    SagaError.SCHEMA_MISMATCH,
                    "the saga tables in schema " + schema.quoted()
                            + (applied == 0 ? " are missing" : " are at version " + applied)
                            + ", version " + needed + " is needed: apply Schema.ddl(…) with your own tool,"
                            + " or call Schema.migrate(dataSource, …) before the engine is built");
        }
    }

    private static int applied(Connection connection, SchemaName schema) throws SQLException {
        String table = schema.quoted("saga_schema");
        if (!SchemaChange.hasTable(connection, table)) {
            return 0;
        }
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT coalesce(max(version), 0) FROM " + table)) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
