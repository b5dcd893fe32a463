package io.holdfast.saga.examples;

/** The demo: runs a few sagas and prints what became of them. */
public final class DemoMain {

    private DemoMain() {}

    /**
     * Runs the demo.
     *
     * @param args none are read
     */
    public static void main(String[] args) {
        System.out.println("Holdfast demo: nothing to show yet.");
    }
}
