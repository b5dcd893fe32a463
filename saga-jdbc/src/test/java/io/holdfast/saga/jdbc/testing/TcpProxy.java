package io.holdfast.saga.jdbc.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

/**
 * A bad network between a client and its database: a proxy on the loopback interface that cuts, refuses and freezes
 * connections, or loses a chosen statement or its answer. Use {@link TestDatabase#via}. Threadsafe.
 */
public final class TcpProxy implements AutoCloseable {

    private final InetSocketAddress server;
    private final Set<ProxyLink> links = ConcurrentHashMap.newKeySet();
    private volatile ServerSocket listener;
    private volatile CountDownLatch frozen = new CountDownLatch(0);
    private volatile StatementCut cut;

    private TcpProxy(InetSocketAddress server) {
        this.server = server;
        this.listener = listen(0);
    }

    /** Opens a proxy to the server of {@code database}, on a port of its own. */
    public static TcpProxy to(TestDatabase database) {
        return new TcpProxy(new InetSocketAddress(database.host(), database.port()));
    }

    /** The proxy's port on 127.0.0.1; it stays the same. */
    public int port() {
        return listener.getLocalPort();
    }

    /** The number of connections that stand now, on the server's side at least. */
    public int connections() {
        return links.size();
    }

    /** Drops all connections, to the client and to the server. New ones are taken. */
    public void cut() {
        links.forEach(ProxyLink::close);
    }

    /** Refuses new connections; those that stand go on. */
    public void refuse() {
        close(listener);
    }

    /** Takes new connections again after {@link #refuse()}. */
    public void accept() {
        if (listener.isClosed()) {
            listener = listen(listener.getLocalPort());
        }
    }

    /** Forwards nothing any more in either direction, and drops nothing: a network that is frozen. */
    public synchronized void pause() {
        if (frozen.getCount() == 0) {
            frozen = new CountDownLatch(1);
        }
    }

    /** Forwards what was held up, and what follows. */
    public synchronized void resume() {
        frozen.countDown();
    }

    /** Lets the next COMMIT happen on the server, and drops its connection in place of the answer. */
    public StatementCut cutAfterNextCommitIsForwarded() {
        return cutAfterCommitIsForwarded(1);
    }

    /** The same for the {@code nth} COMMIT from now on, counted over all connections. */
    public StatementCut cutAfterCommitIsForwarded(int nth) {
        return cut(StatementCut.COMMIT, nth, StatementCut.Loses.ANSWER);
    }

    /** Drops the connection of the {@code nth} COMMIT from now on in place of forwarding it: it never happens. */
    public StatementCut cutBeforeCommitIsForwarded(int nth) {
        return cut(StatementCut.COMMIT, nth, StatementCut.Loses.STATEMENT);
    }

    /**
     * Drops the client's connection at the {@code nth} COMMIT from now on, but not the server's: the transaction stays
     * open, and holds its locks, until {@link StatementCut#deliver()} lets the COMMIT arrive late.
     */
    public StatementCut cutAndHoldCommit(int nth) {
        return cut(StatementCut.COMMIT, nth, StatementCut.Loses.CLIENT);
    }

    /**
     * Arms a cut at the {@code nth} execution from now on of a statement whose text matches. It replaces one that is
     * armed. Statements are seen as the driver sends them, so parameters are not in the text.
     */
    public StatementCut cut(Predicate<String> statement, int nth, StatementCut.Loses what) {
        var armed = new StatementCut(statement, nth, what);
        cut = armed;
        return armed;
    }

    /** The cut to make at this statement, or null. */
    StatementCut cutAt(String statement) {
        var armed = cut;
        return armed != null && armed.strikes(statement) ? armed : null;
    }

    /** Returns at once unless the proxy is paused. */
    void awaitThaw() {
        try {
            frozen.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Called by a link that ended. */
    void forget(ProxyLink link) {
        links.remove(link);
    }

    @Override
    public void close() {
        refuse();
        cut();
        resume();
    }

    private ServerSocket listen(int port) {
        try {
            var socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            daemon("accept", () -> takeConnections(socket));
            return socket;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void takeConnections(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                if (socket.isClosed()) {
                    // A thread blocked in accept may still get a client that came while the listener was being closed.
                    close(client);
                } else {
                    connect(client);
                }
            } catch (IOException closed) {
                // Seen by the loop's condition.
            }
        }
    }

    private void connect(Socket client) {
        try {
            var link = new ProxyLink(this, client, new Socket(server.getAddress(), server.getPort()));
            links.add(link);
            daemon("requests", link::forwardRequests);
            daemon("answers", link::forwardAnswers);
        } catch (IOException serverGone) {
            close(client);
        }
    }

    private static void daemon(String name, Runnable work) {
        var thread = new Thread(work, "tcp-proxy-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    static void close(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception alreadyBroken) {
            // Closed it is.
        }
    }
}
