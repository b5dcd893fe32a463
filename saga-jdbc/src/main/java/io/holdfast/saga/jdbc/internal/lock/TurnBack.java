package io.holdfast.saga.jdbc.internal.lock;

import io.holdfast.saga.jdbc.internal.JdbcTransaction;
import java.util.UUID;
import org.jooq.impl.DSL;

/** Turns the holder of an expired row back in the transaction that takes the row, as a cancel from another node does. */
final class TurnBack {
    private static final String SQL = """
            with moved as (
                update {0}
                set state = 'COMPENSATING', direction = 'BACKWARD',
                    run_seq = run_seq + (case when owner is null then 1 else 0 end),
                    takeovers = case when owner is null then 0 else takeovers end,
                    due_at = case when owner is null then clock_timestamp() else due_at end,
                    log_seq = log_seq + 1, changed_at = clock_timestamp()
                where saga_id = {2} and state = 'RUNNING' and pivot = 'NONE'
                returning saga_id, log_seq, changed_at, step, direction, run_seq)
            insert into {1} (saga_id, seq, at, kind, step, direction, attempt, run_seq, node, note)
            select saga_id, log_seq, changed_at, 'TURNED_BACK', step, direction, 0, run_seq, {3}, {4} from moved""";

    private final JdbcTransaction transaction;

    TurnBack(JdbcTransaction transaction) {
        this.transaction = transaction;
    }

    /** Returns false when the saga cannot be turned back any more. */
    boolean turn(UUID sagaId, String node, String why) {
        var tables = transaction.tables();
        return transaction.dsl().execute(SQL, tables.saga(), tables.log(), DSL.val(sagaId), DSL.val(node), DSL.val(why))
                == 1;
    }
}
