package io.holdfast.saga.jdbc.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A server unpacked from a jar and run as a process of this machine: no Docker, no installation. */
final class EmbeddedServer implements TestServer {

    private final Address maintenance;
    private final Path log;

    private EmbeddedServer(Address maintenance, Path log) {
        this.maintenance = maintenance;
        this.log = log;
    }

    static EmbeddedServer start() {
        try {
            Path log = Files.createTempFile("holdfast-postgres-", ".log");
            log.toFile().deleteOnExit();
            var builder = EmbeddedPostgres.builder()
                    .setPGStartupWait(START_LIMIT)
                    .setOutputRedirector(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .setErrorRedirector(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .setLocaleConfig("locale", "C.UTF-8");
            SETTINGS.forEach(builder::setServerConfig);
            var server = builder.start();
            return new EmbeddedServer(
                    new Address("127.0.0.1", server.getPort(), "postgres", "postgres", "postgres", Map.of()), log);
        } catch (IOException failed) {
            throw new UncheckedIOException("the embedded PostgreSQL did not start", failed);
        }
    }

    @Override
    public String kind() {
        return "embedded";
    }

    @Override
    public Address maintenance() {
        return maintenance;
    }

    @Override
    public List<String> log() {
        try {
            return Files.readAllLines(log);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
