package io.holdfast.saga.examples.demo;

import java.io.PrintStream;
import java.time.Duration;

/** What the audience sees. Threadsafe: the output of other nodes comes in between. */
final class Console {
    private final PrintStream out;
    private final long start = System.nanoTime();

    Console(PrintStream out) {
        this.out = out;
    }

    void title(String text) {
        print("%n=== %s%n", text);
    }

    /** Something begins: shown at once, so that nobody wonders whether anything happens. */
    void step(String text) {
        print("%5.1f s  %s%n", Duration.ofNanos(System.nanoTime() - start).toMillis() / 1000.0, text);
    }

    void quote(String who, String line) {
        step("| " + who + ": " + line);
    }

    void detail(String text) {
        print("         %s%n", text);
    }

    void good(String text) {
        step("[ok] " + text);
    }

    void bad(String text) {
        step("[VIOLATED] " + text);
    }

    private synchronized void print(String format, Object... values) {
        out.printf(format, values);
        out.flush();
    }
}
