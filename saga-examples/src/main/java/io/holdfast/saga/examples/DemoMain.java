package io.holdfast.saga.examples;

import io.holdfast.saga.examples.demo.Demo;

/** The demo: a shop whose nodes are declined, refused, killed and frozen, and whose books are right in the end. */
public final class DemoMain {
    private DemoMain() {}

    /**
     * Runs the demo. Ends the JVM: with 0, or with 1 when an invariant was violated.
     *
     * @param args none are read
     */
    public static void main(String[] args) {
        System.exit(new Demo(System.out).run() ? 0 : 1);
    }
}
