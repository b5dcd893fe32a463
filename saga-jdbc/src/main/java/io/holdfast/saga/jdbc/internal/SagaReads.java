package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.spi.StoredEntry;
import io.holdfast.saga.spi.StoredSaga;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads one saga, or its journal. */
final class SagaReads {
    private final String load;
    private final String journal;

    SagaReads(SagaTables tables) {
        load = tables.sql("SELECT " + SagaRowMapper.columnsAndClock("s") + " FROM {saga} s WHERE s.saga_id = ?");
        journal = tables.sql("SELECT " + SagaRowMapper.LOG_COLUMNS + " FROM {log} WHERE saga_id = ? ORDER BY seq");
    }

    Optional<StoredSaga> load(Connection connection, UUID sagaId) throws SQLException {
        return Jdbc.row(connection, load, p -> p.uuid(sagaId), SagaRowMapper::saga);
    }

    List<StoredEntry> journal(Connection connection, UUID sagaId) throws SQLException {
        return Jdbc.rows(connection, journal, p -> p.uuid(sagaId), SagaRowMapper::entry);
    }
}
