package io.holdfast.saga.examples.gallery;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A moment that others wait for, so that the events of a performance have one order. Threadsafe. */
final class Cue {
    private final CountDownLatch given = new CountDownLatch(1);

    void give() {
        given.countDown();
    }

    void await() throws InterruptedException {
        if (!given.await(20, TimeUnit.SECONDS)) {
            throw new IllegalStateException("a cue was not given within 20 seconds");
        }
    }
}
