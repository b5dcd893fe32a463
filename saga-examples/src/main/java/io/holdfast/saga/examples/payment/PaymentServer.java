package io.holdfast.saga.examples.payment;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.holdfast.saga.examples.payment.Books.Kind;
import io.holdfast.saga.examples.payment.PaymentGateway.Purchase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tools.jackson.databind.json.JsonMapper;

/**
 * The payment provider: an HTTP server on the loopback address, on a port of its own. Its memory ends with it. Threadsafe.
 *
 * <p>{@code POST /authorize}, {@code /capture}, {@code /void} and {@code /void-by-key} change something and want the header
 * {@code Idempotency-Key}; {@code GET /find/<authorize key>} and {@code GET /books} only look.
 */
public final class PaymentServer implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Faults faults = new Faults();
    private final Ledger ledger = new Ledger(faults);
    private final ExecutorService threads = Executors.newCachedThreadPool(PaymentServer::thread);
    private final HttpServer server;

    private PaymentServer(HttpServer server) {
        this.server = server;
    }

    /**
     * Starts a provider with empty books.
     *
     * @return the running server; close it at the end
     * @throws IOException when no port can be had
     */
    public static PaymentServer start() throws IOException {
        var started =
                new PaymentServer(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
        started.listen();
        return started;
    }

    /** {@return where clients in this and other processes reach it} */
    public URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** {@return the switches for what is to go wrong} */
    public Faults faults() {
        return faults;
    }

    /** {@return what it remembers now} */
    public Books books() {
        return ledger.books();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void listen() {
        route("/authorize", this::authorize);
        route("/capture", this::capture);
        route("/void", this::voidById);
        route("/void-by-key", this::voidByKey);
        route("/find/", call -> new Reply(ledger.findByKey(call.lastOfPath())));
        route("/books", call -> new Reply(Answer.of(ledger.books())));
        server.setExecutor(threads);
        server.start();
    }

    private Reply authorize(Request call) {
        var purchase = JSON.readValue(call.body(), Purchase.class);
        return new Reply(ledger.authorize(purchase, call.key()), Kind.AUTHORIZE, Optional.of(purchase.account()));
    }

    private Reply capture(Request call) {
        var id = call.text("authorizationId");
        return new Reply(ledger.capture(id, call.key()), Kind.CAPTURE, ledger.owner(id));
    }

    private Reply voidById(Request call) {
        var id = call.text("authorizationId");
        return new Reply(ledger.voidById(id, call.key()), Kind.VOID, ledger.owner(id));
    }

    private Reply voidByKey(Request call) {
        var authorizeKey = call.text("authorizeKey");
        return new Reply(ledger.voidByKey(authorizeKey, call.key()), Kind.VOID, ledger.ownerByKey(authorizeKey));
    }

    private void route(String path, Handler handler) {
        server.createContext(path, exchange -> {
            try (exchange) {
                if (!faults.isDown()) {
                    send(exchange, answered(exchange, handler));
                }
            }
        });
    }

    private static Reply answered(HttpExchange exchange, Handler handler) throws IOException {
        try {
            return handler.handle(Request.read(exchange));
        } catch (RuntimeException e) {
            return new Reply(Answer.refused(400, String.valueOf(e.getMessage())));
        }
    }

    /** To lose an answer is to close the exchange without one. */
    private void send(HttpExchange exchange, Reply reply) throws IOException {
        if (reply.isLost(faults) || !reply.waitedOut(faults)) {
            return;
        }
        var bytes = JSON.writeValueAsBytes(reply.answer().body());
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(reply.answer().status(), bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static Thread thread(Runnable work) {
        var thread = new Thread(work, "payment-server");
        thread.setDaemon(true);
        return thread;
    }

    private interface Handler {
        Reply handle(Request call);
    }

    /** An answer, and what decides whether it gets through. */
    private record Reply(Answer answer, Kind kind, Optional<Long> account) {
        Reply(Answer answer) {
            this(answer, Kind.VOID, Optional.empty());
        }

        boolean isLost(Faults faults) {
            return account.isPresent() && faults.losesAnswer(kind, account.get());
        }

        boolean waitedOut(Faults faults) {
            try {
                Thread.sleep(account.map(owner -> faults.delay(kind, owner).toMillis())
                        .orElse(0L));
                return true;
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }

    private record Request(String path, Optional<String> header, String body) {
        static Request read(HttpExchange exchange) throws IOException {
            return new Request(
                    exchange.getRequestURI().getPath(),
                    Optional.ofNullable(exchange.getRequestHeaders().getFirst("Idempotency-Key")),
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        }

        String key() {
            return header.orElseThrow(() -> new IllegalArgumentException("the header Idempotency-Key is missing"));
        }

        String text(String field) {
            return JSON.readTree(body).required(field).stringValue();
        }

        String lastOfPath() {
            return path.substring(path.lastIndexOf('/') + 1);
        }
    }
}
