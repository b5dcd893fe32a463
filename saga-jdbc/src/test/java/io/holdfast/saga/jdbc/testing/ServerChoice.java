package io.holdfast.saga.jdbc.testing;

import java.util.Optional;

/** Reads the one system property that says which server the tests run on, and starts that server. */
final class ServerChoice {

    /** {@code auto} (the default), {@code testcontainers}, {@code embedded}, or a JDBC URL with user and password. */
    static final String PROPERTY = "holdfast.test.database";

    private ServerChoice() {}

    static TestServer start(String choice) {
        return switch (choice) {
            case "auto" -> inContainerIfPossible().orElseGet(EmbeddedServer::start);
            case "testcontainers" -> ContainerServer.start();
            case "embedded" -> EmbeddedServer.start();
            default -> {
                if (!choice.startsWith("jdbc:")) {
                    throw new IllegalArgumentException(
                            PROPERTY + " is auto, testcontainers, embedded or a JDBC URL, not '" + choice + "'");
                }
                yield GivenServer.at(choice);
            }
        };
    }

    /**
     * Testcontainers itself takes minutes to find out that an image cannot be had, and reports it with stack traces. So
     * the engine is asked first.
     */
    private static Optional<TestServer> inContainerIfPossible() {
        var engine = DockerEngine.find();
        if (engine.isEmpty()) {
            return Optional.empty();
        }
        var missing = ContainerServer.images().stream()
                .filter(image -> !engine.get().provides(image))
                .findFirst();
        if (missing.isPresent()) {
            say(engine.get() + " cannot provide " + missing.get() + ", so the embedded server is used");
            return Optional.empty();
        }
        try {
            return Optional.of(ContainerServer.start());
        } catch (RuntimeException failed) {
            say(engine.get() + " did not start " + ContainerServer.IMAGE + ", so the embedded server is used: "
                    + failed);
            return Optional.empty();
        }
    }

    /** On stdout, so that it is seen whatever the logging of the module under test. */
    static void say(String message) {
        System.out.println("[test database] " + message);
    }
}
