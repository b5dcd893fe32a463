package io.holdfast.saga.internal;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Named threads that do not keep a JVM alive. */
final class DaemonThreads implements ThreadFactory {
    private final String prefix;
    private final AtomicInteger number = new AtomicInteger();

    DaemonThreads(String prefix) {
        this.prefix = prefix;
    }

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, prefix + "-" + number.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
