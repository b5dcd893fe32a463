package io.holdfast.saga.jdbc.protocol;

import static org.awaitility.Awaitility.await;

import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaOutcome;
import io.holdfast.saga.internal.Engine;
import java.time.Duration;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/** A node of the application: an engine in this JVM. It reaps only when told to. Made by {@link World#node}. */
final class TestNode implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String owner;
    private final Engine engine;
    private final StoreHooks hooks;
    private final Heard heard;

    TestNode(String owner, Engine engine, StoreHooks hooks, Heard heard) {
        this.owner = owner;
        this.engine = engine;
        this.hooks = hooks;
        this.heard = heard;
    }

    /** Its name in rows and journals. */
    String owner() {
        return owner;
    }

    Engine engine() {
        return engine;
    }

    StoreHooks hooks() {
        return hooks;
    }

    Heard heard() {
        return heard;
    }

    /** Starts a saga about order 1 under a key. */
    SagaHandle start(String key) {
        return start(key, 1);
    }

    SagaHandle start(String key, long order) {
        return engine.start(Order.TYPE, key, new Order(order));
    }

    /** Starts one and waits for its end here. */
    SagaOutcome runToItsEnd(String key) {
        return end(start(key).sagaId());
    }

    /** Waits, without ticking, until the saga has ended or is stuck. */
    SagaOutcome end(UUID sagaId) {
        return engine.handle(sagaId)
                .await(PATIENCE)
                .orElseThrow(() -> new AssertionError("has not come to an end: "
                        + engine.handle(sagaId).snapshot().orElse(null)));
    }

    Engine.Pass tick() {
        return engine.tick();
    }

    /** Ticks until something is so. */
    void tickUntil(String what, BooleanSupplier so) {
        await().alias(what)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .atMost(PATIENCE)
                .until(() -> {
                    engine.tick();
                    return so.getAsBoolean();
                });
    }

    /** Ticks until the saga has ended or is stuck. */
    SagaOutcome reapToItsEnd(UUID sagaId) {
        tickUntil(
                "the end of saga " + sagaId,
                () -> engine.handle(sagaId).await(Duration.ZERO).isPresent());
        return end(sagaId);
    }

    @Override
    public void close() {
        engine.close();
    }
}
