package io.holdfast.saga.examples.payment;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/** Reaches a {@link PaymentServer} through HTTP. Threadsafe. */
public final class HttpPaymentGateway implements PaymentGateway {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final HttpClient client;
    private final URI server;
    private final Duration timeout;

    /**
     * A client; it connects with its first call.
     *
     * @param server where the provider listens
     * @param timeout how long a call may take, connecting included; shorter than the timeout of the steps that call
     */
    public HttpPaymentGateway(URI server, Duration timeout) {
        this.client = HttpClient.newBuilder().connectTimeout(timeout).build();
        this.server = server;
        this.timeout = timeout;
    }

    @Override
    public Authorization authorize(Purchase purchase, String key) throws Declined, IOException {
        return decided(post("/authorize", purchase, key), Authorization.class);
    }

    @Override
    public Receipt capture(String authorizationId, String key) throws Declined, IOException {
        return decided(post("/capture", Map.of("authorizationId", authorizationId), key), Receipt.class);
    }

    @Override
    public void voidAuthorization(String authorizationId, String key) throws IOException {
        done(post("/void", Map.of("authorizationId", authorizationId), key));
    }

    @Override
    public void voidByKey(String authorizeKey, String key) throws IOException {
        done(post("/void-by-key", Map.of("authorizeKey", authorizeKey), key));
    }

    @Override
    public Optional<Authorization> findByKey(String authorizeKey) throws IOException {
        var response = send(request("/find/" + URLEncoder.encode(authorizeKey, StandardCharsets.UTF_8)));
        return response.statusCode() == 404
                ? Optional.empty()
                : Optional.of(JSON.readValue(done(response).body(), Authorization.class));
    }

    /** 402, 409 and 410 are the provider's last word on a key; nothing else is. */
    private static <T> T decided(HttpResponse<String> response, Class<T> type) throws Declined, IOException {
        return switch (response.statusCode()) {
            case 402, 409, 410 ->
                throw new Declined(JSON.readTree(response.body()).path("error").asString());
            default -> JSON.readValue(done(response).body(), type);
        };
    }

    private static HttpResponse<String> done(HttpResponse<String> response) throws IOException {
        if (response.statusCode() != 200) {
            throw new IOException("payment provider: " + response.statusCode() + " " + response.body());
        }
        return response;
    }

    private HttpResponse<String> post(String path, Object body, String key) throws IOException {
        return send(request(path)
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(body))));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(server.resolve(path)).timeout(timeout);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the payment provider was asked");
        }
    }
}
