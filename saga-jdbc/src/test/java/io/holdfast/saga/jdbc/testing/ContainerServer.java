package io.holdfast.saga.jdbc.testing;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** A server in a container of its own, started by Testcontainers. */
final class ContainerServer implements TestServer {

    static final String IMAGE = "postgres:17";

    /** What this version of Testcontainers starts beside the first container, to remove what a dead JVM leaves. */
    private static final String HELPER_IMAGE = "testcontainers/ryuk:0.14.0";

    private final PostgreSQLContainer container;

    private ContainerServer(PostgreSQLContainer container) {
        this.container = container;
    }

    static ContainerServer start() {
        var settings = SETTINGS.entrySet().stream()
                .flatMap(setting -> Stream.of("-c", setting.getKey() + "=" + setting.getValue()));
        var container = new PostgreSQLContainer(IMAGE);
        container.setCommand(Stream.concat(Stream.of("postgres"), settings).toArray(String[]::new));
        container.withStartupTimeout(START_LIMIT).start();
        return new ContainerServer(container);
    }

    /** The images that have to be there before a container can start. */
    static List<String> images() {
        boolean withoutHelper = Boolean.parseBoolean(System.getenv("TESTCONTAINERS_RYUK_DISABLED"));
        return withoutHelper ? List.of(IMAGE) : List.of(IMAGE, HELPER_IMAGE);
    }

    @Override
    public String kind() {
        return "testcontainers";
    }

    @Override
    public Address maintenance() {
        return new Address(
                container.getHost(),
                container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT),
                container.getDatabaseName(),
                container.getUsername(),
                container.getPassword(),
                Map.of());
    }

    @Override
    public List<String> log() {
        return container.getLogs().lines().toList();
    }
}
