package io.holdfast.saga.jdbc.internal.barrier;

import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.internal.Checks;
import io.holdfast.saga.internal.Payloads;
import io.holdfast.saga.internal.Settings;
import io.holdfast.saga.jdbc.JacksonCodec;
import io.holdfast.saga.jdbc.barrier.Barrier;
import io.holdfast.saga.jdbc.barrier.BarrierCall;
import io.holdfast.saga.jdbc.barrier.GuardedWork;
import io.holdfast.saga.jdbc.barrier.Passage;
import io.holdfast.saga.jdbc.internal.Connections;
import io.holdfast.saga.jdbc.internal.Jooq;
import io.holdfast.saga.jdbc.internal.SqlStates;
import io.holdfast.saga.jdbc.internal.Taken;
import io.holdfast.saga.spi.PayloadCodec;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jooq.DSLContext;

/** The barrier on its table. Immutable. */
public final class TableBarrier implements Barrier {
    private static final Duration LEAST_AGE = Duration.ofHours(1);
    private static final Duration MOST_AGE = Duration.ofDays(36_500);
    /** Short transactions, and locks on few rows at once. */
    private static final int BATCH = 1_000;

    private final BarrierTable table;
    private final Payloads payloads;

    private TableBarrier(BarrierTable table, PayloadCodec codec) {
        this.table = table;
        this.payloads = new Payloads(codec, Settings.Limits.DEFAULT.payloadChars());
    }

    /** In a schema, whose name is checked. */
    public static Barrier in(String schemaName) {
        return new TableBarrier(BarrierTable.in(schemaName), JacksonCodec.standard());
    }

    @Override
    public Barrier codec(PayloadCodec codec) {
        return new TableBarrier(table, Checks.notNull("codec", codec));
    }

    @Override
    public <R, X extends Exception> Passage<R> guard(
            DSLContext transaction, BarrierCall call, Class<R> resultClass, GuardedWork<DSLContext, R, X> work)
            throws X {
        DSLContext dsl = Checks.argument("transaction", transaction);
        return crossing(dsl, call, resultClass, work).in(dsl);
    }

    @Override
    public <R, X extends Exception> Passage<R> guardJdbc(
            Connection transaction, BarrierCall call, Class<R> resultClass, GuardedWork<Connection, R, X> work)
            throws X {
        Connection connection = Checks.argument("transaction", transaction);
        return crossing(Jooq.on(connection), call, resultClass, work).in(connection);
    }

    private <C, R, X extends Exception> Crossing<C, R, X> crossing(
            DSLContext dsl, BarrierCall call, Class<R> resultClass, GuardedWork<C, R, X> work) {
        Checks.argument("call", call);
        if (Checks.argument("result class", resultClass) != Void.class) {
            Checks.payloadClass("result", resultClass);
        }
        Joined joined = new Joined(dsl, table, call);
        return new Crossing<>(call, resultClass, payloads, joined, Checks.argument("work", work));
    }

    @Override
    public long purge(DataSource dataSource, Duration olderThan) {
        Checks.notNull("data source", dataSource);
        Duration age = Checks.duration("age", olderThan, LEAST_AGE, MOST_AGE);
        try (Taken taken = Taken.forStatements(dataSource)) {
            long removed = 0;
            int batch;
            do {
                batch = Connections.committed(taken.connection(), connection -> table.purge(connection, age, BATCH));
                removed += batch;
            } while (batch == BATCH);
            return removed;
        } catch (SQLException e) {
            SagaDefinitionException missing = table.missing(e);
            throw missing == null ? SqlStates.unavailable("purge of the barrier", e) : missing;
        }
    }
}
