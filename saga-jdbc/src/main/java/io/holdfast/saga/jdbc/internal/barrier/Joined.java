package io.holdfast.saga.jdbc.internal.barrier;

import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaException;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.jdbc.barrier.BarrierCall;
import io.holdfast.saga.jdbc.internal.CallersTransaction;
import io.holdfast.saga.jdbc.internal.Jdbc;
import java.sql.SQLException;
import org.jooq.DSLContext;

/** One call in the participant's transaction: the barrier's statements, between the participant's own. */
final class Joined {
    private static final CallersTransaction CALLERS = new CallersTransaction(
            "of the guarded call",
            "another transaction was faster with a call of the same action, or in each other's way");

    private final DSLContext dsl;
    private final BarrierTable table;
    private final BarrierCall call;

    Joined(DSLContext dsl, BarrierTable table, BarrierCall call) {
        this.dsl = dsl;
        this.table = table;
        this.call = call;
    }

    boolean insert(Mark.State state) {
        return run(connection -> table.insert(connection, call, state));
    }

    boolean undo() {
        return run(connection -> table.undo(connection, call));
    }

    Mark find() {
        return run(connection -> table.find(connection, call)).orElseThrow(() -> retry());
    }

    /** Its snapshot is too old to see who was faster; or the row was purged just now. */
    SagaUsageException retry() {
        return CALLERS.retry(null);
    }

    void store(String json) {
        requireMark(run(connection -> table.store(connection, call, json)));
    }

    /**
     * In place of storing, where there is nothing to store. A statement that failed in the work, and was swallowed there, is noticed now: at
     * COMMIT the server would roll back and say nothing.
     */
    void assertOpen() {
        requireMark(run(connection -> table.find(connection, call)).isPresent());
    }

    private static void requireMark(boolean there) {
        if (!there) {
            throw CALLERS.refused("the work ended it, or it is not one transaction: what was inserted is gone", null);
        }
    }

    private <T> T run(Jdbc.Use<T> statement) {
        return dsl.connectionResult(connection -> {
            try {
                CALLERS.require(connection);
                return statement.on(connection);
            } catch (SQLException e) {
                throw meaning(e);
            }
        });
    }

    private SagaException meaning(SQLException e) {
        SagaDefinitionException missing = table.missing(e);
        return missing == null ? CALLERS.meaning(e) : missing;
    }
}
