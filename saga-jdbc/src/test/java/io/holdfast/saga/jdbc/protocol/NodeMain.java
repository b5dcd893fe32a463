package io.holdfast.saga.jdbc.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;

/** A node in a JVM of its own, which does what its standard input says and tells what happens. See {@link OtherNode}. */
final class NodeMain {
    private NodeMain() {}

    /** Database, name, play, lease in milliseconds, gates to hold. */
    public static void main(String[] arguments) throws IOException {
        Gates gates = new Gates(name -> say("AT " + name));
        for (int i = 4; i < arguments.length; i++) {
            gates.hold(arguments[i]);
        }
        World world = World.attach(arguments[0], gates);
        String name = arguments[1];
        TestNode node = world.node(name)
                .lease(Duration.ofMillis(Long.parseLong(arguments[3])))
                .knowing(Play.valueOf(arguments[2]).with(world.acts(name)));
        node.hooks().after("renew", () -> say("BEAT"));
        say("READY");
        obey(node, gates);
        Runtime.getRuntime().halt(0);
    }

    private static void obey(TestNode node, Gates gates) throws IOException {
        var commands = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] words = line.split(" ", 2);
            switch (words[0]) {
                case "start" -> say("STARTED " + node.start(words[1]).sagaId());
                case "open" -> gates.open(words[1]);
                case "tick" -> say("TICKED " + node.tick().claimed());
                case "active" -> say("ACTIVE " + node.engine().active());
                default -> say("UNKNOWN " + line);
            }
        }
    }

    private static void say(String line) {
        System.out.println(line);
    }
}
