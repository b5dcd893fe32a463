package io.holdfast.saga.jdbc.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A second JVM with this one's class path, so that a node can be killed or frozen for real. It is talked to over its
 * standard input and output, and ends with {@link #close()} or with this JVM. For one test thread.
 */
public final class ChildJvm implements AutoCloseable {

    private static final Duration SIGNAL_LIMIT = Duration.ofSeconds(10);

    private final Process process;
    private final ChildOutput output;
    private final BufferedWriter input;
    private final Thread destroyer;

    ChildJvm(Process process) {
        this.process = process;
        this.output = new ChildOutput(process);
        this.input = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), UTF_8));
        this.destroyer = new Thread(process::destroyForcibly, "child-jvm-destroyer");
        Runtime.getRuntime().addShutdownHook(destroyer);
    }

    /** Starts {@code main} with arguments and nothing else special. */
    public static ChildJvm start(Class<?> main, String... arguments) {
        return of(main).arguments(arguments).start();
    }

    /** Begins to describe a JVM that needs an environment or JVM options. */
    public static ChildJvmBuilder of(Class<?> main) {
        return new ChildJvmBuilder(main);
    }

    /** The id of its process. */
    public long pid() {
        return process.pid();
    }

    /** Whether the process is there, frozen or not. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * The next line of its output, standard error included, that matches; lines before it count as read. Fails, with the
     * output so far, when the time is over or the process ends without such a line.
     */
    public String awaitLine(Predicate<String> wanted, Duration limit) {
        return output.awaitLine(wanted, limit);
    }

    /** Writes one line to its standard input. */
    public void send(String line) {
        try {
            input.write(line);
            input.newLine();
            input.flush();
        } catch (IOException failed) {
            throw new UncheckedIOException("the child JVM takes no input any more\n" + output, failed);
        }
    }

    /** Waits for its end and returns the exit code; fails when the time is over. */
    public int awaitExit(Duration limit) {
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("the child JVM still runs after " + limit + "\n" + output);
            }
            return process.exitValue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for the child JVM", interrupted);
        }
    }

    /** SIGKILL: ends it between two instructions. Returns when it is gone. */
    public void kill9() {
        process.destroyForcibly();
        awaitExit(SIGNAL_LIMIT);
    }

    /** SIGSTOP: it stands still, its connections stay open. Returns when all of its threads have stopped. */
    public void freeze() {
        signal("STOP");
        await().alias("child JVM frozen").atMost(SIGNAL_LIMIT).until(this::stopped);
    }

    /** SIGCONT: it goes on where it was, not knowing that time has passed. */
    public void thaw() {
        signal("CONT");
    }

    @Override
    public void close() {
        kill9();
        Runtime.getRuntime().removeShutdownHook(destroyer);
    }

    private void signal(String name) {
        try {
            int exit = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new AssertionError("no SIG" + name + " for the child JVM: is it gone?\n" + output);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The signal stops threads one by one. The state is the field behind the name, which is in parentheses. */
    private boolean stopped() throws IOException {
        try (var threads = Files.list(Path.of("/proc", Long.toString(pid()), "task"))) {
            for (Path thread : threads.toList()) {
                String stat = Files.readString(thread.resolve("stat"));
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
            return true;
        }
    }
}
