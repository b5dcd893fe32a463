package io.holdfast.saga.jdbc.testing;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** SQL in one line, for tests. With a data source, each call has a connection of its own and commits by itself. */
public final class Sql {

    private Sql() {}

    /** Runs one statement or, without parameters, a script; returns the first statement's number of rows. */
    public static int execute(DataSource dataSource, String sql, Object... parameters) {
        return with(dataSource, connection -> execute(connection, sql, parameters));
    }

    /** The same on a connection of the caller's. */
    public static int execute(Connection connection, String sql, Object... parameters) {
        return run(connection, sql, parameters, PreparedStatement::getUpdateCount);
    }

    /** The only column of the only row; anything can be had as a String. */
    public static <T> T value(DataSource dataSource, Class<T> type, String sql, Object... parameters) {
        return with(dataSource, connection -> value(connection, type, sql, parameters));
    }

    /** The same on a connection of the caller's. */
    public static <T> T value(Connection connection, Class<T> type, String sql, Object... parameters) {
        return run(connection, sql, parameters, statement -> {
            ResultSet rows = statement.getResultSet();
            if (!rows.next()) {
                throw new AssertionError("no row where one was expected: " + sql);
            }
            T value = type == String.class ? type.cast(rows.getString(1)) : rows.getObject(1, type);
            if (rows.next()) {
                throw new AssertionError("more than one row where one was expected: " + sql);
            }
            return value;
        });
    }

    /** All rows, each as its columns by name, in their order. */
    public static List<Map<String, Object>> rows(DataSource dataSource, String sql, Object... parameters) {
        return with(dataSource, connection -> rows(connection, sql, parameters));
    }

    /** The same on a connection of the caller's. */
    public static List<Map<String, Object>> rows(Connection connection, String sql, Object... parameters) {
        return run(connection, sql, parameters, statement -> {
            ResultSet result = statement.getResultSet();
            var columns = result.getMetaData();
            var rows = new ArrayList<Map<String, Object>>();
            while (result.next()) {
                var row = new LinkedHashMap<String, Object>();
                for (int column = 1; column <= columns.getColumnCount(); column++) {
                    row.put(columns.getColumnLabel(column), result.getObject(column));
                }
                rows.add(row);
            }
            return rows;
        });
    }

    private static <T> T run(
            Connection connection, String sql, Object[] parameters, SqlFunction<PreparedStatement, T> then) {
        try (var statement = connection.prepareStatement(sql)) {
            for (int index = 0; index < parameters.length; index++) {
                statement.setObject(index + 1, parameters[index]);
            }
            statement.execute();
            return then.apply(statement);
        } catch (SQLException failed) {
            throw new SqlFailure(failed);
        }
    }

    private static <T> T with(DataSource dataSource, SqlFunction<Connection, T> work) {
        try (var connection = dataSource.getConnection()) {
            return work.apply(connection);
        } catch (SQLException failed) {
            throw new SqlFailure(failed);
        }
    }

    /** What may fail with an SQLException. */
    private interface SqlFunction<A, B> {
        B apply(A argument) throws SQLException;
    }
}
