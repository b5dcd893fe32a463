package io.holdfast.saga.jdbc.protocol;

import io.holdfast.saga.jdbc.testing.Sql;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Somebody elsewhere who is called by external steps: remembers every key, does nothing twice, and refuses a call that arrives
 * after its undo. It keeps its books in a table, by connections of its own, so that all JVMs call the same one. Threadsafe.
 */
final class Participant {
    static final String TABLE = """
            CREATE TABLE participant (
                key     text PRIMARY KEY,
                saga_id uuid,
                step    text,
                state   text NOT NULL,
                calls   int NOT NULL DEFAULT 0,
                undos   int NOT NULL DEFAULT 0);
            """;

    private final DataSource dataSource;

    /** A call that came after its undo. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        Refused(String key) {
            super("undone already: " + key);
        }
    }

    Participant(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Does what is asked, once. */
    void call(String key, UUID sagaId, String step) throws Refused {
        String state = Sql.value(
                dataSource,
                String.class,
                "INSERT INTO participant (key, saga_id, step, state, calls) VALUES (?, ?, ?, 'DONE', 1)"
                        + " ON CONFLICT (key) DO UPDATE SET calls = participant.calls + 1 RETURNING state",
                key,
                sagaId,
                step);
        if (!state.equals("DONE")) {
            throw new Refused(key);
        }
    }

    /** Undoes the call of that key, or sees to it that it never happens. */
    void undo(String actionKey, UUID sagaId, String step) {
        Sql.execute(
                dataSource,
                "INSERT INTO participant (key, saga_id, step, state, undos) VALUES (?, ?, ?, 'UNDONE', 1)"
                        + " ON CONFLICT (key) DO UPDATE SET state = 'UNDONE', undos = participant.undos + 1",
                actionKey,
                sagaId,
                step);
    }

    /** The steps of a saga that are in effect, in the order of their names. */
    List<String> inEffect(UUID sagaId) {
        return Sql.rows(
                        dataSource,
                        "SELECT step FROM participant WHERE saga_id = ? AND state = 'DONE' ORDER BY step",
                        sagaId)
                .stream()
                .map(row -> (String) row.get("step"))
                .toList();
    }

    /** How often a step of a saga was called. */
    int calls(UUID sagaId, String step) {
        return count("calls", sagaId, step);
    }

    /** How often a step of a saga was undone. */
    int undos(UUID sagaId, String step) {
        return count("undos", sagaId, step);
    }

    private int count(String what, UUID sagaId, String step) {
        return Sql.value(
                dataSource,
                Integer.class,
                "SELECT coalesce(sum(" + what + "), 0)::int FROM participant WHERE saga_id = ? AND step = ?",
                sagaId,
                step);
    }
}
