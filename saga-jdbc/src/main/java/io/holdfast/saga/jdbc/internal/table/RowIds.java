package io.holdfast.saga.jdbc.internal.table;

import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.internal.Texts;
import io.holdfast.saga.jdbc.RowId;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Row ids as an application gives them, made texts that the database understands. */
public final class RowIds {
    private static final int MOST_ROWS = 1_000;

    private RowIds() {}

    /** Distinct ids, each one text per column of the key. */
    public static List<List<String>> of(TableSpec table, @Nullable Collection<?> ids) {
        if (ids == null || ids.isEmpty() || ids.size() > MOST_ROWS) {
            throw refused(
                    table, "1 to " + MOST_ROWS + " rows can be locked, not " + (ids == null ? "null" : ids.size()));
        }
        Set<List<String>> distinct = new LinkedHashSet<>();
        for (Object id : ids) {
            distinct.add(of(table, id));
        }
        return List.copyOf(distinct);
    }

    public static List<String> of(TableSpec table, @Nullable Object id) {
        List<?> parts = id instanceof RowId several ? several.parts() : id == null ? List.of() : List.of(id);
        if (parts.size() != table.ids().size()) {
            throw refused(
                    table,
                    "id " + id + " has " + parts.size() + " parts where the key has " + table.ids()
                            + "; an id of several columns is a RowId");
        }
        return parts.stream().map(part -> text(table, part)).toList();
    }

    private static String text(TableSpec table, Object part) {
        boolean known = part instanceof String
                || part instanceof UUID
                || part instanceof Long
                || part instanceof Integer
                || part instanceof Short;
        if (!known) {
            throw refused(
                    table,
                    "an id of " + part.getClass().getName()
                            + " cannot be bound; give a String, UUID, Long, Integer or Short, or a RowId of them");
        }
        String text = part.toString();
        if (!Texts.isStorable(text)) {
            throw refused(table, "id \"" + Texts.printable(text) + "\" contains NUL or unpaired surrogates");
        }
        return text;
    }

    private static SagaUsageException refused(TableSpec table, String why) {
        return refused(table, why, null);
    }

    public static SagaUsageException refused(TableSpec table, String why, @Nullable Throwable cause) {
        return new SagaUsageException(
                SagaError.ROW_ID_INVALID, "row of " + table.quoted() + " is refused: " + why, cause);
    }

    /** For people. */
    public static String print(TableSpec table, List<String> id) {
        return table.quoted() + " " + Texts.printable(String.join(", ", id));
    }
}
