package io.holdfast.saga.jdbc.protocol;

import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaListener;
import io.holdfast.saga.internal.Engine;
import io.holdfast.saga.internal.Payloads;
import io.holdfast.saga.internal.Settings;
import io.holdfast.saga.internal.Waiting;
import io.holdfast.saga.jdbc.JacksonCodec;
import io.holdfast.saga.jdbc.internal.LocalLimits;
import io.holdfast.saga.jdbc.internal.PostgresSagaStore;
import io.holdfast.saga.jdbc.internal.SagaTables;
import io.holdfast.saga.jdbc.internal.lock.LockExtender;
import io.holdfast.saga.spi.SagaStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Describes a {@link TestNode}. Leases are long unless told otherwise: a busy machine loses none, and a test that needs one to end
 * ends it ({@link World#expireLease}). Mutable, not threadsafe.
 */
final class NodeBuilder {
    private final World world;
    private final String owner;
    private final List<SagaListener> listeners = new ArrayList<>();
    private @Nullable DataSource dataSource;
    private Duration lease = Duration.ofSeconds(20);
    private int capacity = 8;
    private Duration grace = Duration.ofSeconds(2);
    private Settings.Limits limits = Settings.Limits.DEFAULT;
    private LocalLimits locals = LocalLimits.DEFAULT;
    private Waiting waiting = Waiting.real();
    private boolean beats = true;

    NodeBuilder(World world, String owner) {
        this.world = world;
        this.owner = owner;
    }

    NodeBuilder lease(Duration length) {
        lease = length;
        return this;
    }

    NodeBuilder capacity(int sagas) {
        capacity = sagas;
        return this;
    }

    NodeBuilder grace(Duration atClose) {
        grace = atClose;
        return this;
    }

    /** Retries later than this park the saga. */
    NodeBuilder inPlace(Duration most) {
        limits = new Settings.Limits(limits.payloadChars(), most, limits.takeovers());
        return this;
    }

    /** With so many expired leases a saga is stuck. */
    NodeBuilder takeovers(int most) {
        limits = new Settings.Limits(limits.payloadChars(), limits.inPlace(), most);
        return this;
    }

    NodeBuilder locals(Duration lockTimeout, Duration idleInTransaction) {
        locals = new LocalLimits(lockTimeout, idleInTransaction);
        return this;
    }

    NodeBuilder waiting(Waiting clock) {
        waiting = clock;
        return this;
    }

    /** Default: a pool of its own, of direct connections. */
    NodeBuilder on(DataSource its) {
        dataSource = its;
        return this;
    }

    NodeBuilder listener(SagaListener listener) {
        listeners.add(listener);
        return this;
    }

    /** Its leases run out, as those of a node that hangs. */
    NodeBuilder withoutHeartbeat() {
        beats = false;
        return this;
    }

    /** Begins to work with a definition of {@link Order#TYPE}. */
    TestNode knowing(SagaDefinition<?>... definitions) {
        StoreHooks hooks = new StoreHooks();
        Heard heard = new Heard();
        listeners.add(0, heard);
        DataSource its = dataSource == null ? world.database().pool(capacity + 4) : dataSource;
        SagaStore store =
                hooks.around(new PostgresSagaStore(its, null, SagaTables.in(World.SCHEMA), new LockExtender(), locals));
        Engine engine = new Engine(
                new Settings(owner, lease, capacity, grace, limits),
                new Engine.Parts(
                        store,
                        new Payloads(JacksonCodec.standard(), limits.payloadChars()),
                        List.of(definitions),
                        listeners,
                        waiting,
                        null));
        if (beats) {
            engine.begin();
        }
        return world.opened(new TestNode(owner, engine, hooks, heard));
    }
}
