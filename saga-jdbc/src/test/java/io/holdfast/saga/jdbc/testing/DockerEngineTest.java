package io.holdfast.saga.jdbc.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DockerEngineTest {

    @Test
    void an_engine_that_answers_is_one() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var answered = CompletableFuture.runAsync(() -> answer(server, "HTTP/1.0 200 OK\r\n\r\nOK"));

            assertThat(new DockerEngine(server.getLocalSocketAddress()).answers())
                    .isTrue();
            answered.get(5, SECONDS);
        }
    }

    @Test
    void one_that_takes_the_call_and_never_answers_is_none_after_two_seconds() throws Exception {
        try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var engine = new DockerEngine(silent.getLocalSocketAddress());

            assertTimeoutPreemptively(
                    Duration.ofSeconds(10), () -> assertThat(engine.answers()).isFalse());
        }
    }

    @Test
    void a_socket_nobody_listens_at_is_none(@TempDir Path directory) {
        assertThat(new DockerEngine(UnixDomainSocketAddress.of(directory.resolve("docker.sock"))).answers())
                .isFalse();
    }

    @Test
    void an_image_that_can_be_neither_found_nor_pulled_is_not_provided() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var answered = CompletableFuture.runAsync(() -> {
                answer(server, "HTTP/1.0 404 Not Found\r\n\r\n");
                answer(server, "HTTP/1.0 500 Internal Server Error\r\n\r\nno such host");
            });

            assertThat(new DockerEngine(server.getLocalSocketAddress()).provides("postgres:17"))
                    .isFalse();
            answered.get(5, SECONDS);
        }
    }

    private static void answer(ServerSocket server, String answer) {
        try (Socket call = server.accept()) {
            var request = new BufferedReader(new InputStreamReader(call.getInputStream(), ISO_8859_1));
            assertThat(request.lines().takeWhile(line -> !line.isEmpty())).isNotEmpty();
            call.getOutputStream().write(answer.getBytes(ISO_8859_1));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
