package io.holdfast.saga.jdbc.testing;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** The one session in the server's maintenance database through which databases are made, watched and dropped. */
final class Maintenance {

    private static TestServer server;
    private static Connection connection;

    private Maintenance() {}

    /** The server of this JVM; the first call starts it and says which it is. */
    static synchronized TestServer server() {
        if (server == null) {
            server = ServerChoice.start(System.getProperty(ServerChoice.PROPERTY, "auto"));
            ServerChoice.say(server.kind() + ": PostgreSQL " + value(String.class, "SHOW server_version") + " at "
                    + server.maintenance().host() + ":" + server.maintenance().port());
        }
        return server;
    }

    static synchronized void execute(String sql) {
        Sql.execute(connection(), sql);
    }

    static synchronized List<Map<String, Object>> rows(String sql, Object... parameters) {
        return Sql.rows(connection(), sql, parameters);
    }

    static synchronized <T> T value(Class<T> type, String sql, Object... parameters) {
        return Sql.value(connection(), type, sql, parameters);
    }

    /** A new one when a test has ended the last. */
    private static Connection connection() {
        try {
            if (connection == null || !connection.isValid(5)) {
                connection = new ZonedDataSource(server().maintenance()).getConnection();
            }
            return connection;
        } catch (SQLException failed) {
            throw new SqlFailure(failed);
        }
    }
}
