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
import io.holdfast.saga.jdbc.internal.reservation.AvailabilityReads;
import io.holdfast.saga.jdbc.internal.reservation.ReservationSweep;
import io.holdfast.saga.jdbc.reaper.Reaper;
import io.holdfast.saga.jdbc.reaper.Reaper.Pass;
import io.holdfast.saga.jdbc.reservation.Reservations;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An engine on PostgreSQL and what stands around it. */
final class RunningSagas implements JdbcSagas {
    /** A tick is one short transaction; who waits longer for it than this waits for a database that is away. */
    private static final Duration LAST_TICK = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(JdbcSagas.class);

    private final Engine engine;
    private final SagaTables tables;
    private final AuditReads audit;
    private final DataSource dataSource;
    private final boolean sweeps;
    private final Ticks ticks;
    private final QuartzTicks quartz;

    private RunningSagas(SagasBuilder parts, Settings settings) {
        this.tables = SagaTables.in(parts.schema.name());
        this.audit = new AuditReads(parts.dataSource, parts.schema.name());
        this.dataSource = parts.dataSource;
        this.sweeps = ReservationSweep.isNeededBy(parts.definitions);
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
        this.ticks = new Ticks(this::pass, parts.interval, System::nanoTime);
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

    private Pass pass() {
        Engine.Pass pass = engine.tick();
        return new Pass(pass.takenOver(), pass.claimed() - pass.takenOver(), sweeps ? expired() : 0);
    }

    /** Only a record for auditors: it must not keep sagas from being found. */
    private int expired() {
        try (Taken taken = Taken.forStatements(dataSource)) {
            return ReservationSweep.run(Jooq.on(taken.connection()), tables);
        } catch (SQLException | DataAccessException e) {
            LOG.warn("Expired reservations could not be recorded; the next tick tries again", e);
            return 0;
        }
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
    public Reservations reservations() {
        return new AvailabilityReads(tables, audit::read);
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
