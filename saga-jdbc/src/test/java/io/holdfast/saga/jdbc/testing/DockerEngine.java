package io.holdfast.saga.jdbc.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A Docker engine, asked in plain HTTP over its socket whether it is there and has an image. An engine that does not
 * answer within two seconds, or only over TLS, counts as none.
 */
record DockerEngine(SocketAddress socket) {

    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);
    private static final Duration PULL_LIMIT = Duration.ofMinutes(3);

    static Optional<DockerEngine> find() {
        return candidates().map(DockerEngine::new).filter(DockerEngine::answers).findFirst();
    }

    private static Stream<SocketAddress> candidates() {
        String configured = System.getenv("DOCKER_HOST");
        if (configured != null && configured.startsWith("tcp://")) {
            var uri = URI.create(configured);
            return Stream.of(new InetSocketAddress(uri.getHost(), uri.getPort()));
        }
        Stream<Path> sockets = configured != null && configured.startsWith("unix://")
                ? Stream.of(Path.of(URI.create(configured).getPath()))
                : Stream.of(
                        Path.of("/var/run/docker.sock"),
                        Path.of(System.getProperty("user.home"), ".docker", "run", "docker.sock"),
                        Path.of(Objects.requireNonNullElse(System.getenv("XDG_RUNTIME_DIR"), "/run"), "docker.sock"));
        return sockets.filter(Files::exists).map(UnixDomainSocketAddress::of);
    }

    boolean answers() {
        return request("GET", "/_ping", ANSWER_LIMIT).startsWith("200");
    }

    /** Whether the image is there, if need be after pulling it. */
    boolean provides(String image) {
        if (has(image)) {
            return true;
        }
        String pull = "/images/create?fromImage=" + URLEncoder.encode(image, UTF_8);
        return request("POST", pull, PULL_LIMIT).startsWith("200") && has(image);
    }

    private boolean has(String image) {
        return request("GET", "/images/" + image + "/json", ANSWER_LIMIT).startsWith("200");
    }

    /** The status and everything after it; empty when there was no answer in time. */
    private String request(String method, String path, Duration limit) {
        try (var channel = SocketChannel.open(
                socket instanceof UnixDomainSocketAddress
                        ? java.net.StandardProtocolFamily.UNIX
                        : java.net.StandardProtocolFamily.INET)) {
            // A Unix channel knows no time-out: closing it from here is what ends a read that gets no answer.
            return CompletableFuture.supplyAsync(() -> exchange(channel, method, path), DockerEngine::onItsOwnThread)
                    .get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (Exception noAnswer) {
            return "";
        }
    }

    private static void onItsOwnThread(Runnable task) {
        Thread thread = new Thread(task, "docker-engine");
        thread.setDaemon(true);
        thread.start();
    }

    private String exchange(SocketChannel channel, String method, String path) {
        try {
            channel.connect(socket);
            channel.write(
                    ByteBuffer.wrap((method + " " + path + " HTTP/1.0\r\nHost: docker\r\n\r\n").getBytes(ISO_8859_1)));
            var answer = new String(Channels.newInputStream(channel).readAllBytes(), ISO_8859_1);
            return answer.substring(answer.indexOf(' ') + 1);
        } catch (IOException failed) {
            return "";
        }
    }

    @Override
    public String toString() {
        return "the Docker engine at " + socket;
    }
}
