package io.holdfast.saga.examples.crash;

import io.holdfast.saga.examples.crash.CrashPoint.Act;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import javax.sql.DataSource;

/**
 * Crash points around everything that commits: {@link Connection#commit()}, a statement that changes something in autocommit
 * mode, and a message that has its COMMIT in it.
 */
final class VictimDataSource {
    private VictimDataSource() {}

    static DataSource around(DataSource inner) {
        return proxy(DataSource.class, (proxy, method, args) -> {
            var result = call(inner, method, args);
            return result instanceof Connection connection ? around(connection) : result;
        });
    }

    private static Connection around(Connection inner) {
        return proxy(Connection.class, (proxy, method, args) -> {
            if (method.getName().equals("commit")) {
                return commit(inner, method, args);
            }
            var result = call(inner, method, args);
            if (result instanceof PreparedStatement statement) {
                return around(PreparedStatement.class, statement, inner, (String) args[0]);
            }
            return result instanceof Statement statement ? around(Statement.class, statement, inner, "") : result;
        });
    }

    private static <S extends Statement> S around(Class<S> type, S inner, Connection connection, String prepared) {
        return proxy(type, (proxy, method, args) -> {
            var given = args != null && args.length > 0 && args[0] instanceof String text ? text : prepared;
            return method.getName().startsWith("execute") && commits(connection, given)
                    ? commit(inner, method, args)
                    : call(inner, method, args);
        });
    }

    private static boolean commits(Connection connection, String sql) throws SQLException {
        var text = sql.toLowerCase(Locale.ROOT);
        return connection.getAutoCommit()
                ? text.contains("insert") || text.contains("update") || text.contains("delete")
                : text.stripTrailing().endsWith("commit");
    }

    private static Object commit(Object inner, Method method, Object[] args) throws Exception {
        return Victim.<Object, Exception>passing(Act.COMMIT, () -> call(inner, method, args));
    }

    private static Object call(Object inner, Method method, Object[] args) throws Exception {
        try {
            return method.invoke(inner, args);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
