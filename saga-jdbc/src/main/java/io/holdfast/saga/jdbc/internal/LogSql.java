package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.spi.NewEntry;
import java.sql.SQLException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** How journal entries are written, always by the statement that raises the log_seq of their saga. */
final class LogSql {
    static final String INSERT = "INSERT INTO {log}"
            + " (saga_id, seq, at, kind, step, direction, attempt, run_seq, node, result, error, note)";

    private LogSql() {}

    /** Entries as a table of parameters called e, numbered from 1. */
    static String values(int entries) {
        String rows = IntStream.rangeClosed(1, entries)
                .mapToObj(nr -> "(" + nr
                        + ", cast(? AS text), cast(? AS text), cast(? AS text), cast(? AS integer), cast(? AS jsonb),"
                        + " cast(? AS text), cast(? AS text))")
                .collect(Collectors.joining(", "));
        return "(VALUES " + rows + ") AS e (nr, kind, step, direction, attempt, result, error, note)";
    }

    /** One of them. */
    static void bind(Parameters p, NewEntry entry) throws SQLException {
        p.text(entry.kind().name())
                .text(entry.step())
                .text(entry.direction().name())
                .number(entry.attempt())
                .text(entry.result())
                .text(entry.error())
                .text(entry.note());
    }
}
