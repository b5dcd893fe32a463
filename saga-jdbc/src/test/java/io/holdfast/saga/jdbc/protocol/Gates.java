package io.holdfast.saga.jdbc.protocol;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Places where a step can be held up. They are open until held. Threadsafe. */
final class Gates {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Map<String, Gate> held = new ConcurrentHashMap<>();
    private final Consumer<String> arrivals;

    private record Gate(CountDownLatch open, AtomicInteger arrived, boolean stubborn) {}

    /** Tells nobody. */
    Gates() {
        this(name -> {});
    }

    /** Tells whoever arrives at a held gate. */
    Gates(Consumer<String> arrivals) {
        this.arrivals = arrivals;
    }

    /** From now on who comes here waits, until opened or interrupted. */
    void hold(String name) {
        held.put(name, new Gate(new CountDownLatch(1), new AtomicInteger(), false));
    }

    /** The same, but an interrupt is ignored. */
    void holdStubbornly(String name) {
        held.put(name, new Gate(new CountDownLatch(1), new AtomicInteger(), true));
    }

    /** Lets go on who waits here, and all who come. */
    void open(String name) {
        Gate gate = held.get(name);
        if (gate != null) {
            gate.open.countDown();
        }
    }

    void openAll() {
        held.keySet().forEach(this::open);
    }

    /** Returns when somebody is here. */
    void awaitArrival(String name) {
        awaitArrivals(name, 1);
    }

    /** Returns when so many have come here since it is held. */
    void awaitArrivals(String name, int number) {
        Gate gate = held.get(name);
        await().alias(number + " arrivals at " + name)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(LIMIT)
                .until(() -> gate.arrived.get() >= number);
    }

    /** How many have come here since it is held. */
    int arrivals(String name) {
        return held.get(name).arrived.get();
    }

    /** Called by the steps. */
    void pass(String name) throws InterruptedException {
        Gate gate = held.get(name);
        if (gate == null) {
            return;
        }
        gate.arrived.incrementAndGet();
        arrivals.accept(name);
        if (gate.stubborn) {
            ignoreInterrupts(gate.open);
        } else {
            gate.open.await();
        }
    }

    private static void ignoreInterrupts(CountDownLatch open) {
        while (true) {
            try {
                open.await();
                return;
            } catch (InterruptedException ignored) {
                // that is the point
            }
        }
    }
}
