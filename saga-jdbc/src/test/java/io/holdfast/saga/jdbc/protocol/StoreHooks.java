package io.holdfast.saga.jdbc.protocol;

import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaStoreException;
import io.holdfast.saga.spi.LeaseKeeper;
import io.holdfast.saga.spi.SagaStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands between an engine and its store, so that a test can have something happen between two calls of it, or cut the node
 * off. Methods, also those of the lease keepers, go by their names. Threadsafe.
 */
final class StoreHooks {
    private final Map<String, Runnable> before = new ConcurrentHashMap<>();
    private final Map<String, Runnable> after = new ConcurrentHashMap<>();
    private volatile boolean cutOff;

    /** Runs before each call of the method, on the calling thread; what it throws is the call's. */
    void before(String method, Runnable what) {
        before.put(method, what);
    }

    /** Runs after each call of the method that succeeded. */
    void after(String method, Runnable what) {
        after.put(method, what);
    }

    /** From now on the database does not answer, and nothing reaches it. */
    void cutOff() {
        cutOff = true;
    }

    /** The database answers again. */
    void reconnect() {
        cutOff = false;
    }

    SagaStore around(SagaStore store) {
        return proxy(SagaStore.class, store);
    }

    private <T> T proxy(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                StoreHooks.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call(target, method, arguments)));
    }

    private Object call(Object target, Method method, Object[] arguments) throws Throwable {
        String name = method.getName();
        boolean toTheDatabase = !name.equals("describe") && !name.equals("close") && !name.equals("rest");
        before.getOrDefault(name, () -> {}).run();
        if (cutOff && toTheDatabase) {
            throw new SagaStoreException(SagaError.STORE_UNAVAILABLE, "cut off by the test", null);
        }
        try {
            Object result = method.invoke(target, arguments);
            after.getOrDefault(name, () -> {}).run();
            return result instanceof LeaseKeeper keeper ? proxy(LeaseKeeper.class, keeper) : result;
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
