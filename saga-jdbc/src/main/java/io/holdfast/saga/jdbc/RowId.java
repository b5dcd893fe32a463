package io.holdfast.saga.jdbc;

import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaUsageException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * The id of a row whose key has several columns: {@code RowId.of(tenant, number)}, in the order of
 * {@link BusinessTable#idColumns}. Ids of one column are given as they are. Immutable.
 *
 * @param parts the values, in the order of the columns; each a String, UUID, Long, Integer or Short
 */
public record RowId(List<Object> parts) {
    /**
     * Copies the values.
     *
     * @param parts one value per id column, none null
     * @throws SagaUsageException when there is none, or one is null (SAGA-406)
     */
    public RowId {
        if (parts == null || parts.isEmpty() || hasNull(parts)) {
            throw new SagaUsageException(
                    SagaError.ROW_ID_INVALID,
                    "row id " + parts + " is refused: it needs one value per id column, none null");
        }
        parts = List.copyOf(parts);
    }

    /**
     * An id.
     *
     * @param first the value of the first id column, never null
     * @param more those of the others, never null
     * @return the id
     * @throws SagaUsageException when a value is null (SAGA-406)
     */
    public static RowId of(Object first, Object... more) {
        List<Object> parts = new ArrayList<>();
        parts.add(first);
        Collections.addAll(parts, more);
        return new RowId(parts);
    }

    /** Immutable lists refuse the question whether they contain null. */
    private static boolean hasNull(List<Object> parts) {
        return parts.stream().anyMatch(Objects::isNull);
    }

    @Override
    public String toString() {
        return parts.toString();
    }
}
