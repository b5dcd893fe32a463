package io.holdfast.saga.examples.demo;

/** Where a node of the demo stands still until it is told to go on, so that it can be killed or frozen right there. */
enum PausePoint {
    /** The money is set aside, and the node has not noted it yet. */
    AFTER_AUTHORIZE,
    /** The money is to be taken, and the provider was not asked yet. */
    BEFORE_CAPTURE
}
