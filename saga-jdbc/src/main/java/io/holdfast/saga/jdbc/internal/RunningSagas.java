package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaOutcome;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.internal.Checks;
import io.holdfast.saga.internal.Engine;
import io.holdfast.saga.internal.Payloads;
import io.holdfast.saga.internal.Settings;
import io.holdfast.saga.internal.Waiting;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.admin.SagaAdmin;
import io.holdfast.saga.jdbc.audit.SagaAudit;
import io.holdfast.saga.jdbc.internal.lock.LockExtender;
import io.holdfast.saga.jdbc.internal.reaper.QuartzTicks;
import io.holdfast.saga.jdbc.internal.reaper.Ticks;
import io.holdfast.saga.jdbc.reaper.Reaper;
import io.holdfast.saga.jdbc.reaper.Reaper.Pass;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;

/** An engine on PostgreSQL and what stands around it. */
final class RunningSagas implements JdbcSagas {
    /** A tick is one short transaction; who waits longer for it than this waits for a database that is away. */
    private static final Duration LAST_TICK = Duration.ofSeconds(1);

    private final Engine engine;
    private final SagaTables tables;
    private final SagaAudit audit;
    private final Ticks ticks;
    private final QuartzTicks quartz;

    private RunningSagas(SagasBuilder parts, Settings settings) {
        this.tables = SagaTables.in(parts.schema.name());
        this.audit = new AuditReads(parts.dataSource, parts.schema.name());
        PostgresSagaStore store = new PostgresSagaStore(parts.dataSource, parts.heartbeats, tables, new LockExtender());
        this.engine = new Engine(
                settings,
                new Engine.Parts(
                        store,
                        new Payloads(parts.codec, parts.payloadChars),
                        List.copyOf(parts.definitions),
                        List.copyOf(parts.listeners),
                        Waiting.real(),
                        parts.executor));
        this.ticks = new Ticks(() -> pass(engine.tick()), parts.interval, System::nanoTime);
        engine.begin();
        this.quartz = beginTicks(parts, settings);
    }

    static JdbcSagas begin(SagasBuilder parts, Settings settings) {
        return new RunningSagas(parts, settings);
    }

    private QuartzTicks beginTicks(SagasBuilder parts, Settings settings) {
        try {
            return QuartzTicks.begin("holdfast-" + settings.owner(), ticks, parts.interval, parts.scheduler);
        } catch (RuntimeException e) {
            engine.close();
            throw e;
        }
    }

    private static Pass pass(Engine.Pass pass) {
        return new Pass(pass.takenOver(), pass.claimed() - pass.takenOver());
    }

    @Override
    public <D> SagaHandle start(SagaType<D> type, String businessKey, D data) {
        return engine.start(type, businessKey, data);
    }

    @Override
    public <D> Optional<SagaOutcome> run(SagaType<D> type, String businessKey, D data, Duration atMost) {
        return engine.run(type, businessKey, data, atMost);
    }

    @Override
    public <D> SagaHandle startIn(DSLContext transaction, SagaType<D> type, String businessKey, D data) {
        Checks.argument("transaction", transaction);
        return engine.startIn(new JdbcTransaction(transaction, tables), type, businessKey, data);
    }

    @Override
    public <D> SagaHandle startIn(Connection transaction, SagaType<D> type, String businessKey, D data) {
        Checks.argument("transaction", transaction);
        return startIn(Jooq.on(transaction), type, businessKey, data);
    }

    @Override
    public SagaHandle handle(SagaType<?> type, String businessKey) {
        return engine.handle(type, businessKey);
    }

    @Override
    public SagaHandle handle(UUID sagaId) {
        return engine.handle(sagaId);
    }

    @Override
    public Reaper reaper() {
        return ticks;
    }

    @Override
    public SagaAudit audit() {
        return audit;
    }

    @Override
    public SagaAdmin admin(String operator) {
        return new Operator(engine, Checks.name("operator", operator));
    }

    @Override
    public void close() {
        quartz.close(LAST_TICK);
        engine.close();
    }
}
