package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaUsageException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * The connection as the user's code sees it: his statements, not his transaction. What would end or change the transaction is
 * refused, and everything once the step has ended.
 */
final class StepConnection implements InvocationHandler {
    private static final Set<String> THE_STORES = Set.of(
            "commit",
            "setAutoCommit",
            "abort",
            "setTransactionIsolation",
            "setReadOnly",
            "setSchema",
            "setCatalog",
            "setNetworkTimeout",
            "setHoldability",
            "unwrap");

    private final Connection connection;
    private final @Nullable BaseConnection driver;
    private volatile boolean ended;

    StepConnection(Connection connection) throws SQLException {
        this.connection = connection;
        this.driver = connection.isWrapperFor(BaseConnection.class) ? connection.unwrap(BaseConnection.class) : null;
    }

    Connection asConnection() {
        return (Connection)
                Proxy.newProxyInstance(StepConnection.class.getClassLoader(), new Class<?>[] {Connection.class}, this);
    }

    /** For savepoints. */
    Connection open() {
        if (ended) {
            throw new SagaUsageException(
                    SagaError.CONTEXT_CLOSED,
                    "the DSLContext of a step is used after the step ended; what it would write is not part of the saga:"
                            + " do all the work before the step returns, on its own thread");
        }
        return connection;
    }

    /** Refuses whatever comes. */
    void end() {
        ended = true;
    }

    /** Refuses when SQL of the user's has ended the transaction: it is committed (or rolled back) without the saga's step. */
    void requireOpenTransaction() {
        if (driver != null && driver.getTransactionState() == TransactionState.IDLE) {
            throw new SagaUsageException(
                    SagaError.TRANSACTION_REFUSED,
                    "a statement of the step has ended the transaction, so that what it wrote is not bound to the saga;"
                            + " the step fails: take COMMIT and ROLLBACK out of its SQL");
        }
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args) throws Throwable {
        String name = method.getName();
        switch (name) {
            case "close" -> {
                return null;
            }
            case "isClosed" -> {
                return ended || connection.isClosed();
            }
            case "isWrapperFor" -> {
                return false;
            }
            case "toString" -> {
                return "connection of a step";
            }
            case "hashCode" -> {
                return System.identityHashCode(proxy);
            }
            case "equals" -> {
                return args != null && proxy == args[0];
            }
            default -> {
                return forward(method, args);
            }
        }
    }

    private @Nullable Object forward(Method method, Object @Nullable [] args) throws Throwable {
        boolean wholeRollback = method.getName().equals("rollback") && args == null;
        if (wholeRollback || THE_STORES.contains(method.getName())) {
            throw new SagaUsageException(
                    SagaError.TRANSACTION_REFUSED,
                    method.getName() + "() is refused in a local step: its transaction belongs to the saga;"
                            + " throw an exception to have it rolled back");
        }
        Connection open = open();
        requireOpenTransaction();
        try {
            return method.invoke(open, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
