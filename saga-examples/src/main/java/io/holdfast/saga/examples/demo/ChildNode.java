package io.holdfast.saga.examples.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A {@link ShopNode} in a process of its own, with the signals an operating system has for processes. */
final class ChildNode implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Process process;
    private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();

    private ChildNode(Process process, Consumer<String> echo) {
        this.process = process;
        var reader = new Thread(() -> read(process.inputReader(StandardCharsets.UTF_8), echo), "child-output");
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts one; each line it prints goes to {@code echo} as well. */
    static ChildNode start(List<String> arguments, Consumer<String> echo) throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var classPath = System.getProperty("java.class.path");
        var command = Stream.concat(
                Stream.of(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        classPath,
                        ShopNode.class.getName()),
                arguments.stream());
        return new ChildNode(
                new ProcessBuilder(command.toList()).redirectErrorStream(true).start(), echo);
    }

    long pid() {
        return process.pid();
    }

    /** Waits for a line that contains the text. */
    String awaitLine(String text) throws InterruptedException {
        while (true) {
            var line = lines.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (line == null || line.isEmpty()) {
                throw new IllegalStateException(
                        "process " + pid() + (line == null ? " is silent" : " ended") + " without \"" + text + "\"");
            }
            if (line.get().contains(text)) {
                return line.get();
            }
        }
    }

    /** Waits until it has ended by itself. */
    void awaitEnd() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("process " + pid() + " does not end");
        }
    }

    /** Lets it go on from where it paused. */
    void goOn() throws IOException {
        var input = process.getOutputStream();
        input.write('\n');
        input.flush();
    }

    /** SIGKILL: no shutdown hook, no finally. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGSTOP: every thread stands still, and no clock of its own tells it so. */
    void freeze() throws IOException, InterruptedException {
        signal("-STOP");
    }

    /** SIGCONT. */
    void thaw() throws IOException, InterruptedException {
        signal("-CONT");
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private void signal(String name) throws IOException, InterruptedException {
        var exit =
                new ProcessBuilder("kill", name, Long.toString(pid())).start().waitFor();
        if (exit != 0) {
            throw new IllegalStateException("kill " + name + " " + pid() + " ended with " + exit);
        }
    }

    private void read(BufferedReader output, Consumer<String> echo) {
        try (output) {
            for (var line = output.readLine(); line != null; line = output.readLine()) {
                echo.accept(line);
                lines.add(Optional.of(line));
            }
        } catch (IOException killed) {
            echo.accept("its output was cut off");
        } finally {
            lines.add(Optional.empty());
        }
    }
}
