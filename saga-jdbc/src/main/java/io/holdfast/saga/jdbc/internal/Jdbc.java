package io.holdfast.saga.jdbc.internal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One statement, one round trip. The store's own statements are constant texts sent straight to the driver: rendering them
 * anew each time would cost a noticeable part of a short step.
 */
public final class Jdbc {
    private Jdbc() {}

    /** What is done with a connection. */
    @FunctionalInterface
    public interface Use<T> {
        /** Uses it. */
        T on(Connection connection) throws SQLException;
    }

    /** Sets the parameters. */
    @FunctionalInterface
    public interface Bind {
        /** Sets them, in their order. */
        void to(Parameters parameters) throws SQLException;
    }

    /** Reads a row. */
    @FunctionalInterface
    public interface Read<T> {
        /** Reads the current one. */
        T from(ResultSet row) throws SQLException;
    }

    /** All rows. */
    public static <T> List<T> rows(Connection connection, String sql, Bind bind, Read<T> read) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind.to(new Parameters(statement));
            try (ResultSet result = statement.executeQuery()) {
                List<T> rows = new ArrayList<>();
                while (result.next()) {
                    rows.add(read.from(result));
                }
                return rows;
            }
        }
    }

    /** The first row, if any. */
    public static <T> Optional<T> row(Connection connection, String sql, Bind bind, Read<T> read) throws SQLException {
        return rows(connection, sql, bind, read).stream().findFirst();
    }

    static int update(Connection connection, String sql, Bind bind) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind.to(new Parameters(statement));
            return statement.executeUpdate();
        }
    }

    /** Statements without parameters, in one message. */
    public static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(sql);
        }
    }
}
