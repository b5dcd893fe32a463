package io.holdfast.saga.jdbc.internal.reservation;

import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.internal.Definition;
import io.holdfast.saga.jdbc.internal.SagaTables;
import java.util.Collection;
import org.jooq.DSLContext;

/**
 * Records which reservations have expired, for who reads the table. Nothing depends on it: their units are free already. Locked ones,
 * which are being settled or given back, are left to the next time.
 */
public final class ReservationSweep {
    private static final String SWEEP = """
            WITH due AS MATERIALIZED (
                SELECT r.saga_id, r.step, r.incarnation FROM {reservation} r
                WHERE r.state = 'HELD' AND r.expires_at <= statement_timestamp()
                ORDER BY r.expires_at
                LIMIT 500
                FOR NO KEY UPDATE SKIP LOCKED)
            UPDATE {reservation} r SET state = 'EXPIRED', changed_at = clock_timestamp()
            FROM due d
            WHERE r.saga_id = d.saga_id AND r.step = d.step AND r.incarnation = d.incarnation AND r.state = 'HELD'
              AND r.expires_at <= clock_timestamp()""";

    private ReservationSweep() {}

    /** Whether any of these reserves: other nodes need not look. */
    public static boolean isNeededBy(Collection<SagaDefinition<?>> definitions) {
        return definitions.stream()
                .flatMap(definition -> ((Definition<?>) definition).steps().stream())
                .map(step -> step.extras().use())
                .anyMatch(use -> use != null && use.resource() instanceof ReservationHold);
    }

    /** Records a batch; how many. */
    public static int run(DSLContext dsl, SagaTables tables) {
        return dsl.execute(tables.sql(SWEEP));
    }
}
