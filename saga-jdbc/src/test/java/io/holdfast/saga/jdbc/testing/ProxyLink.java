package io.holdfast.saga.jdbc.testing;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** One client's connection through the proxy: one thread forwards its requests, another the answers. */
final class ProxyLink {

    private final TcpProxy proxy;
    private final Socket client;
    private final Socket server;
    private final DataInputStream requests;
    private final DataInputStream answers;
    private final StatementWatch watch = new StatementWatch();

    /** How often the server has yet to say that it is ready for the next query; once after the login. */
    private final AtomicInteger unanswered = new AtomicInteger(1);

    private final CountDownLatch ended = new CountDownLatch(1);

    /** Set before the statement is forwarded whose answer is to be lost. */
    private volatile StatementCut losing;

    ProxyLink(TcpProxy proxy, Socket client, Socket server) throws IOException {
        this.proxy = proxy;
        this.client = client;
        this.server = server;
        this.requests = new DataInputStream(new BufferedInputStream(client.getInputStream()));
        this.answers = new DataInputStream(new BufferedInputStream(server.getInputStream()));
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
    }

    /** Runs until one of the sides is gone, or the client has been dropped with a statement held. */
    void forwardRequests() {
        try {
            login();
            boolean held = false;
            while (!held) {
                held = forward(Frame.read(requests));
            }
        } catch (IOException gone) {
            close();
        }
    }

    /** Refuses encryption, without which no statement could be told from another. */
    private void login() throws IOException {
        var first = Frame.readUntyped(requests);
        while (first.asksForEncryption()) {
            client.getOutputStream().write('N');
            first = Frame.readUntyped(requests);
        }
        send(first);
    }

    /** Returns whether the client was dropped and this message is held for later. */
    private boolean forward(Frame request) throws IOException {
        String statement = watch.executes(request);
        var cut = statement == null ? null : proxy.cutAt(statement);
        if (cut == null) {
            send(request);
            return false;
        }
        if (cut.loses() == StatementCut.Loses.STATEMENT) {
            close();
            cut.done();
            return false;
        }
        losing = cut;
        if (cut.loses() == StatementCut.Loses.ANSWER) {
            send(request);
            return false;
        }
        cut.hold(this, upToQueryEnd(request));
        TcpProxy.close(client);
        cut.done();
        return true;
    }

    private List<Frame> upToQueryEnd(Frame first) throws IOException {
        var messages = new ArrayList<>(List.of(first));
        for (var last = first; !last.endsQuery(); messages.add(last)) {
            last = Frame.read(requests);
        }
        return messages;
    }

    private void send(Frame request) throws IOException {
        proxy.awaitThaw();
        if (request.endsQuery()) {
            unanswered.incrementAndGet();
        }
        request.write(server.getOutputStream());
    }

    /** Sends what was held and returns when the server is done with it; false when the session is gone. */
    boolean deliver(List<Frame> held) {
        try {
            for (var request : held) {
                send(request);
            }
            ended.await();
            return unanswered.get() == 0;
        } catch (IOException sessionGone) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Runs until one of the sides is gone, or the answer to be lost has come. */
    void forwardAnswers() {
        try {
            boolean lost = false;
            while (!lost) {
                var answer = Frame.read(answers);
                boolean idle = answer.saysReady() && unanswered.decrementAndGet() == 0;
                if (losing == null) {
                    proxy.awaitThaw();
                    answer.write(client.getOutputStream());
                } else {
                    lost = idle;
                }
            }
        } catch (IOException gone) {
            // Nobody is left to tell.
        } finally {
            close();
            ended.countDown();
            if (losing != null) {
                losing.done();
            }
        }
    }

    void close() {
        TcpProxy.close(client);
        TcpProxy.close(server);
        proxy.forget(this);
    }
}
