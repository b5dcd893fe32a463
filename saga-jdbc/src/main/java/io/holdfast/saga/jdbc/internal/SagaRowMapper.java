package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.Direction;
import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.spi.DefinitionRef;
import io.holdfast.saga.spi.NewEntry;
import io.holdfast.saga.spi.StoredEntry;
import io.holdfast.saga.spi.StoredSaga;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows of the two tables as values; reads by position, in the order of the columns that it names. */
final class SagaRowMapper {
    private static final List<String> COLUMNS = List.of(
            "saga_id",
            "type_name",
            "type_version",
            "definition_hash",
            "business_key",
            "identity",
            "incarnation",
            "data",
            "created_at",
            "deadline_at",
            "state",
            "direction",
            "pivot",
            "step",
            "attempts",
            "step_at",
            "owner",
            "due_at",
            "run_seq",
            "takeovers",
            "last_error");

    /** The first column that a statement may put behind those of a saga and the clock. */
    static final int NEXT = COLUMNS.size() + 2;

    private SagaRowMapper() {}

    /** The columns of a saga, and the database's clock. */
    static String columnsAndClock(String alias) {
        return columns(alias) + ", clock_timestamp()";
    }

    static String columns(String alias) {
        return COLUMNS.stream().map(column -> alias + "." + column).collect(Collectors.joining(", "));
    }

    static StoredSaga saga(ResultSet row) throws SQLException {
        return new StoredSaga(
                origin(row), position(row), lease(row), row.getString(21), instant(row, COLUMNS.size() + 1));
    }

    private static StoredSaga.Origin origin(ResultSet row) throws SQLException {
        return new StoredSaga.Origin(
                row.getObject(1, UUID.class),
                new DefinitionRef(row.getString(2), row.getInt(3), row.getString(4)),
                row.getString(5),
                row.getString(6),
                row.getObject(7, UUID.class),
                row.getString(8),
                instant(row, 9),
                instantOrNull(row, 10));
    }

    private static StoredSaga.Position position(ResultSet row) throws SQLException {
        return new StoredSaga.Position(
                SagaState.valueOf(row.getString(11)),
                Direction.valueOf(row.getString(12)),
                Pivot.valueOf(row.getString(13)),
                row.getString(14),
                row.getInt(15),
                instant(row, 16));
    }

    private static StoredSaga.Lease lease(ResultSet row) throws SQLException {
        return new StoredSaga.Lease(row.getString(17), instantOrNull(row, 18), row.getLong(19), row.getInt(20));
    }

    static final String LOG_COLUMNS = "seq, at, run_seq, node, kind, step, direction, attempt, result, error, note";

    static StoredEntry entry(ResultSet row) throws SQLException {
        return new StoredEntry(
                row.getLong(1),
                instant(row, 2),
                row.getLong(3),
                row.getString(4),
                new NewEntry(
                        Kind.valueOf(row.getString(5)),
                        row.getString(6),
                        Direction.valueOf(row.getString(7)),
                        row.getInt(8),
                        row.getString(9),
                        row.getString(10),
                        row.getString(11)));
    }

    static Instant instant(ResultSet row, int column) throws SQLException {
        return Objects.requireNonNull(instantOrNull(row, column));
    }

    private static @Nullable Instant instantOrNull(ResultSet row, int column) throws SQLException {
        OffsetDateTime at = row.getObject(column, OffsetDateTime.class);
        return at == null ? null : at.toInstant();
    }
}
