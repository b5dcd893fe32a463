package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.internal.Checks;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** DDL in one transaction, in a schema that is created where it is not there; of several nodes that come at once, one after the other. */
public final class SchemaChange {
    private SchemaChange() {}

    /** The DDL. */
    @FunctionalInterface
    public interface Script {
        /** Applies what is missing. */
        void on(Connection connection) throws SQLException;
    }

    /** Applies it and commits. */
    public static void apply(DataSource dataSource, SchemaName schema, Script script) {
        Checks.notNull("data source", dataSource);
        try (Taken taken = Taken.forTransaction(dataSource)) {
            Connection connection = taken.connection();
            Jdbc.execute(connection, "SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE");
            lock(connection, schema);
            createSchema(connection, schema);
            script.on(connection);
            connection.commit();
        } catch (SQLException e) {
            throw refused(schema, "could not be applied", e);
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

    /** Not IF NOT EXISTS, which asks for the right to create schemas also where there is nothing to create. */
    private static void createSchema(Connection connection, SchemaName schema) throws SQLException {
        if (!is(connection, "SELECT to_regnamespace(?) IS NOT NULL", schema.quoted())) {
            Jdbc.execute(connection, "CREATE SCHEMA " + schema.quoted());
        }
    }

    /** Whether a table is there, by its quoted name. */
    public static boolean hasTable(Connection connection, String quoted) throws SQLException {
        return is(connection, "SELECT to_regclass(?) IS NOT NULL", quoted);
    }

    private static boolean is(Connection connection, String sql, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, name);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getBoolean(1);
            }
        }
    }

    static RuntimeException refused(SchemaName schema, String what, SQLException e) {
        if (SqlStates.isUnavailable(e)) {
            return SqlStates.unavailable("the tables in schema " + schema.quoted() + " " + what, e);
        }
        return new SagaDefinitionException(
                SagaError.SCHEMA_MISMATCH,
                "the tables of the library in schema " + schema.quoted() + " " + what + " (SQLSTATE " + e.getSQLState()
                        + "): see the cause; nothing was changed",
                e);
    }
}
