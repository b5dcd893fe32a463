package io.holdfast.saga.examples.demo;

import io.holdfast.saga.examples.demo.Scenarios.Scenario;
import java.io.PrintStream;

/** Plays the scenes until one goes wrong. */
public final class Demo {
    private final Console console;

    /**
     * A demo that has not begun.
     *
     * @param out where it is shown
     */
    public Demo(PrintStream out) {
        this.console = new Console(out);
    }

    /** {@return whether everything was as it must be} */
    public boolean run() {
        try (var world = World.create(console)) {
            for (var scenario : new Scenarios(world, console).all()) {
                play(scenario, world);
            }
            console.title("All scenes ended as they must");
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            console.bad("interrupted");
            return false;
        } catch (Exception e) {
            console.bad(String.valueOf(e.getMessage()));
            e.printStackTrace(System.err);
            return false;
        }
    }

    private void play(Scenario scenario, World world) throws Exception {
        console.title(scenario.title());
        scenario.scene().play();
        world.verify();
    }
}
