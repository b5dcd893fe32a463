package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaListener;
import io.holdfast.saga.internal.Checks;
import io.holdfast.saga.internal.Settings;
import io.holdfast.saga.jdbc.JacksonCodec;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.Schema;
import io.holdfast.saga.jdbc.internal.reaper.QuartzTicks;
import io.holdfast.saga.spi.PayloadCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.quartz.Scheduler;

/** Collects what an engine is made of, and refuses what is not valid where it is given. */
public final class SagasBuilder implements JdbcSagas.Builder {
    private static final Duration HOUR = Duration.ofHours(1);

    final DataSource dataSource;
    final List<SagaDefinition<?>> definitions = new ArrayList<>();
    final List<SagaListener> listeners = new ArrayList<>();
    SchemaName schema = SchemaName.of(Schema.DEFAULT_NAME);
    PayloadCodec codec = JacksonCodec.standard();
    Duration interval = Duration.ofSeconds(5);

    @Nullable
    DataSource heartbeats;

    @Nullable
    Executor executor;

    @Nullable
    Scheduler scheduler;

    int payloadChars = Settings.Limits.DEFAULT.payloadChars();

    private String node = hostName();
    private Duration lease = Duration.ofSeconds(30);
    private Duration grace = Duration.ofSeconds(10);
    private int capacity = 16;

    /** For engines on a database. */
    public SagasBuilder(DataSource dataSource) {
        this.dataSource = Checks.notNull("data source", dataSource);
    }

    private static String hostName() {
        try {
            return Checks.name("node", System.getenv("HOSTNAME"));
        } catch (SagaDefinitionException notOne) {
            return "node";
        }
    }

    /** How the node works; each call makes another owner's name, unique per engine. */
    Settings settings() {
        String owner = node + "-" + UUID.randomUUID().toString().substring(0, 8);
        Settings.Limits usual = Settings.Limits.DEFAULT;
        return new Settings(
                owner, lease, capacity, grace, new Settings.Limits(payloadChars, usual.inPlace(), usual.takeovers()));
    }

    @Override
    public JdbcSagas.Builder register(SagaDefinition<?> definition) {
        Checks.notNull("definition", definition);
        if (definitions.stream().anyMatch(other -> other.type().equals(definition.type()))) {
            throw new SagaDefinitionException(
                    SagaError.DUPLICATE_DEFINITION,
                    "a definition of " + definition.type()
                            + " is registered already; another one needs another version");
        }
        definitions.add(definition);
        return this;
    }

    @Override
    public JdbcSagas.Builder listener(SagaListener listener) {
        listeners.add(Checks.notNull("listener", listener));
        return this;
    }

    @Override
    public JdbcSagas.Builder schema(String name) {
        schema = SchemaName.of(name);
        return this;
    }

    @Override
    public JdbcSagas.Builder nodeName(String name) {
        node = Checks.name("node", name);
        return this;
    }

    @Override
    public JdbcSagas.Builder executor(Executor threads, int sagas) {
        executor = Checks.notNull("executor", threads);
        return capacity(sagas);
    }

    @Override
    public JdbcSagas.Builder capacity(int sagas) {
        capacity = Checks.limit("capacity", sagas, 1, 10_000);
        return this;
    }

    @Override
    public JdbcSagas.Builder lease(Duration length) {
        lease = Checks.duration("lease", length, Duration.ofMillis(100), HOUR);
        return this;
    }

    @Override
    public JdbcSagas.Builder reapEvery(Duration every) {
        interval = Checks.duration("reapEvery", every, Duration.ofMillis(10), HOUR);
        return this;
    }

    @Override
    public JdbcSagas.Builder scheduler(Scheduler quartz) {
        scheduler = QuartzTicks.check(Checks.notNull("scheduler", quartz));
        return this;
    }

    @Override
    public JdbcSagas.Builder codec(PayloadCodec payloads) {
        codec = Checks.notNull("codec", payloads);
        return this;
    }

    @Override
    public JdbcSagas.Builder heartbeatDataSource(DataSource own) {
        heartbeats = Checks.notNull("heartbeat data source", own);
        return this;
    }

    @Override
    public JdbcSagas.Builder closeGrace(Duration atMost) {
        grace = Checks.duration("closeGrace", atMost, Duration.ZERO, HOUR);
        return this;
    }

    @Override
    public JdbcSagas.Builder maxPayloadChars(int chars) {
        payloadChars = Checks.limit("maxPayloadChars", chars, 1, 64_000_000);
        return this;
    }

    @Override
    public JdbcSagas build() {
        Settings settings = settings();
        SchemaScripts.check(dataSource, schema);
        ServerCheck.run(dataSource, definitions);
        PoolCheck.warnIfSmall(dataSource, settings.capacity(), heartbeats != null);
        return RunningSagas.begin(this, settings);
    }
}
