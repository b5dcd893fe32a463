package io.holdfast.saga.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;

/** A DataSource that always hands out the same connection, which survives being closed: to look at what it was left as. */
public final class Unclosed {
    private Unclosed() {}

    public static DataSource dataSource(Connection connection) {
        Connection open = proxy(Connection.class, connection);
        return (DataSource) Proxy.newProxyInstance(
                Unclosed.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, args) -> open);
    }

    private static <T> T proxy(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                Unclosed.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    try {
                        return method.invoke(target, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
