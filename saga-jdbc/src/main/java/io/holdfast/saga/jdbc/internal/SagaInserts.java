package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.spi.DefinitionRef;
import io.holdfast.saga.spi.NewSaga;
import io.holdfast.saga.spi.StoredSaga;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stores a saga with its first entry, or nothing when there is one of that id. Never an INSERT that fails: it would end the
 * transaction of a caller who starts a saga in his own.
 */
final class SagaInserts {
    private final String insert;

    SagaInserts(SagaTables tables) {
        // a subquery, so that all columns have the same clock
        insert = tables.sql(
                """
                WITH stored AS (
                    INSERT INTO {saga} AS s (
                        saga_id, type_name, type_version, definition_hash, business_key, identity, incarnation, data,
                        state, direction, pivot, step, attempts, step_at, takeovers, run_seq, owner, due_at, log_seq,
                        deadline_at, created_at, changed_at)
                    SELECT cast(? AS uuid), cast(? AS text), cast(? AS integer), cast(? AS text), cast(? AS text),
                           cast(? AS text), cast(? AS uuid), cast(? AS jsonb),
                           'RUNNING', 'FORWARD', 'NONE', cast(? AS text), 0, clock.now, 0, cast(? AS bigint),
                           cast(? AS text), clock.now + ? * interval '1 microsecond', 1,
                           clock.now + cast(? AS bigint) * interval '1 microsecond', clock.now, clock.now
                    FROM (SELECT clock_timestamp() AS now) AS clock
                    ON CONFLICT (saga_id) DO NOTHING
                    RETURNING %s),
                written AS (%s
                    SELECT saga_id, 1, created_at, 'STARTED', step, direction, 0, run_seq, cast(? AS text),
                           NULL, NULL, NULL
                    FROM stored)
                SELECT %s FROM stored""".formatted(SagaRowMapper.columns("s"), LogSql.INSERT, SagaRowMapper.columnsAndClock("stored")));
    }

    /**
     * Inserts.
     *
     * @param owner null: nobody's and due now
     * @param lease how long it is the owner's; zero without one
     */
    Optional<StoredSaga> insert(
            Connection connection, NewSaga saga, @Nullable String owner, Duration lease, String node)
            throws SQLException {
        return Jdbc.row(
                connection,
                insert,
                p -> {
                    bindOrigin(p, saga);
                    p.text(saga.firstStep())
                            .number(owner == null ? 0L : 1L)
                            .text(owner)
                            .micros(lease)
                            .micros(saga.deadline())
                            .text(node);
                },
                SagaRowMapper::saga);
    }

    private static void bindOrigin(Parameters p, NewSaga saga) throws SQLException {
        DefinitionRef definition = saga.definition();
        p.uuid(saga.sagaId())
                .text(definition.typeName())
                .number(definition.typeVersion())
                .text(definition.hash())
                .text(saga.businessKey())
                .text(saga.identity())
                .uuid(saga.incarnation())
                .text(saga.data());
    }
}
