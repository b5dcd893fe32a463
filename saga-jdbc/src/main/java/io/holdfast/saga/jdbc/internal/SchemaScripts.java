package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.internal.Checks;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/** The versions of the tables, and how they are applied and looked for. */
public final class SchemaScripts {
    /** In order. */
    public static final List<SchemaScript> ALL =
            List.of(new SchemaScript(1, "V1__sagas.sql"), new SchemaScript(2, "V2__views.sql"), new SchemaScript(3, "V3__reservations.sql"));

    private SchemaScripts() {}

    /** Applies what is missing. */
    public static void migrate(DataSource dataSource, SchemaName schema) {
        Checks.notNull("data source", dataSource);
        try (Taken taken = Taken.forTransaction(dataSource)) {
            applyMissing(taken.connection(), schema);
            taken.connection().commit();
        } catch (SQLException e) {
            throw refused(schema, "could not be applied", e);
        }
    }

    private static void applyMissing(Connection connection, SchemaName schema) throws SQLException {
        execute(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE");
        lock(connection, schema);
        // not IF NOT EXISTS, which asks for the right to create schemas also where there is nothing to create
        if (!exists(connection, "SELECT to_regnamespace(?) IS NOT NULL", schema.quoted())) {
            execute(connection, "CREATE SCHEMA " + schema.quoted());
        }
        int applied = applied(connection, schema);
        for (SchemaScript script : ALL) {
            if (script.version() > applied) {
                execute(connection, script.text(schema));
            }
        }
    }

    /** Until the end of the transaction: several nodes may start at once. */
    private static void lock(Connection connection, SchemaName schema) throws SQLException {
        try (PreparedStatement lock =
                connection.prepareStatement("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))")) {
            lock.setString(1, "io.holdfast.saga.schema:" + schema.name());
            lock.execute();
        }
    }

    /** Refuses tables that are missing or too old. */
    public static void check(DataSource dataSource, SchemaName schema) {
        Checks.notNull("data source", dataSource);
        int applied;
        try (Taken taken = Taken.forStatements(dataSource)) {
            applied = applied(taken.connection(), schema);
        } catch (SQLException e) {
            throw refused(schema, "cannot be read", e);
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
        if (!exists(connection, "SELECT to_regclass(?) IS NOT NULL", table)) {
            return 0;
        }
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT coalesce(max(version), 0) FROM " + table)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private static boolean exists(Connection connection, String sql, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, name);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getBoolean(1);
            }
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(sql);
        }
    }

    private static RuntimeException refused(SchemaName schema, String what, SQLException e) {
        if (SqlStates.isUnavailable(e)) {
            return SqlStates.unavailable("the saga tables in schema " + schema.quoted() + " " + what, e);
        }
        return new SagaDefinitionException(
                SagaError.SCHEMA_MISMATCH,
                "the saga tables in schema " + schema.quoted() + " " + what + " (SQLSTATE " + e.getSQLState()
                        + "): see the cause; nothing was changed",
                e);
    }
}
