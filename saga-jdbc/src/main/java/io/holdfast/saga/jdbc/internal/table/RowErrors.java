package io.holdfast.saga.jdbc.internal.table;

import io.holdfast.saga.RowUnavailableException;
import io.holdfast.saga.RowUnavailableException.Reason;
import java.util.Set;
import java.util.function.Supplier;
import org.jooq.exception.DataAccessException;

/** Errors of a statement that marks rows, where they mean that the row, or its id, can never be marked. */
public final class RowErrors {
    /** Changed by its own trigger, a rule in the way, a status too long; besides, all integrity constraints. */
    private static final Set<String> MARK = Set.of("27000", "0A000", "22001");

    private static final String INTEGRITY = "23";

    /** Not of the column's type, or out of its range. */
    private static final Set<String> VALUE = Set.of("22P02", "22003");

    private RowErrors() {}

    public static <T> T explained(TableSpec table, Supplier<T> work) {
        try {
            return work.get();
        } catch (DataAccessException e) {
            String state = e.sqlState();
            if (MARK.contains(state) || state.startsWith(INTEGRITY)) {
                throw new RowUnavailableException(
                        Reason.MARK_REFUSED,
                        "rows of " + table.quoted()
                                + " do not take the mark: a trigger, rule or constraint of the table"
                                + " refuses it (SQLSTATE " + state + "); nothing was changed",
                        e);
            }
            if (VALUE.contains(state)) {
                throw RowIds.refused(table, "an id or a status is no value of its column (SQLSTATE " + state + ")", e);
            }
            throw e;
        }
    }
}
