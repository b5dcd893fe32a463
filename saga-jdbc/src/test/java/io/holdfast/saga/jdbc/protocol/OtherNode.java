package io.holdfast.saga.jdbc.protocol;

import io.holdfast.saga.jdbc.testing.ChildJvm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A node in a JVM of its own, to be killed or frozen. */
final class OtherNode implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ChildJvm jvm;

    private OtherNode(ChildJvm jvm) {
        this.jvm = jvm;
        jvm.awaitLine("READY"::equals, PATIENCE);
    }

    /** One that holds its steps up at these gates. */
    static OtherNode begin(World world, String name, Play play, Duration lease, String... gates) {
        List<String> arguments =
                new ArrayList<>(List.of(world.database().url(), name, play.name(), Long.toString(lease.toMillis())));
        arguments.addAll(List.of(gates));
        return world.opened(new OtherNode(ChildJvm.start(NodeMain.class, arguments.toArray(String[]::new))));
    }

    UUID start(String key) {
        jvm.send("start " + key);
        return UUID.fromString(awaitLine("STARTED ").substring("STARTED ".length()));
    }

    void awaitArrival(String gate) {
        awaitLine("AT " + gate);
    }

    void open(String gate) {
        jvm.send("open " + gate);
    }

    /** The next heartbeat that got through. */
    void awaitBeat() {
        awaitLine("BEAT");
    }

    /** Returns when it drives nothing. */
    void awaitIdle() {
        String answer;
        do {
            jvm.send("active");
            answer = awaitLine("ACTIVE ");
        } while (!answer.equals("ACTIVE 0"));
    }

    /** The next line that begins so. */
    String awaitLine(String begin) {
        return jvm.awaitLine(line -> line.startsWith(begin), PATIENCE);
    }

    /** The next line that contains this. */
    String awaitLineWith(String text) {
        return jvm.awaitLine(line -> line.contains(text), PATIENCE);
    }

    void freeze() {
        jvm.freeze();
    }

    void thaw() {
        jvm.thaw();
    }

    void kill() {
        jvm.kill9();
    }

    @Override
    public void close() {
        jvm.close();
    }
}
