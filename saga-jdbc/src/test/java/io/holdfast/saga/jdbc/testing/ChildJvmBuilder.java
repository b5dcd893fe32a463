package io.holdfast.saga.jdbc.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Describes a {@link ChildJvm}. Mutable, not threadsafe. */
public final class ChildJvmBuilder {

    private final Class<?> main;
    private final Map<String, String> environment = new HashMap<>();

    /** Small and quick to start: there may be several beside this JVM. */
    private final List<String> options =
            new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));

    private List<String> arguments = List.of();

    ChildJvmBuilder(Class<?> main) {
        this.main = main;
    }

    /** What {@code main} is given. */
    public ChildJvmBuilder arguments(String... given) {
        this.arguments = List.of(given);
        return this;
    }

    /** Adds a variable to the environment it inherits. */
    public ChildJvmBuilder environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** Adds options such as {@code -Dname=value}; of two that contradict, the later one holds. */
    public ChildJvmBuilder options(String... given) {
        options.addAll(List.of(given));
        return this;
    }

    /** Starts it. */
    public ChildJvm start() {
        var command = new ArrayList<>(
                List.of(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        try {
            return new ChildJvm(builder.start());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
