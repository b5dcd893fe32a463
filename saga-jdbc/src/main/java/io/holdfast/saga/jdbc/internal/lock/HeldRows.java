package io.holdfast.saga.jdbc.internal.lock;

import io.holdfast.saga.LockLostException;
import io.holdfast.saga.RowUnavailableException;
import io.holdfast.saga.RowUnavailableException.Reason;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.jdbc.internal.lock.LockReceipt.Row;
import io.holdfast.saga.jdbc.internal.table.RowErrors;
import io.holdfast.saga.jdbc.internal.table.RowIds;
import io.holdfast.saga.jdbc.internal.table.TableSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** What a saga does with the rows it holds, by its receipts. Methods that give back return the ids of the rows that were lost. */
final class HeldRows {
    private final HeldSql sql;
    private final TableSpec table;
    private final UUID holder;

    HeldRows(DSLContext dsl, TableSpec table, UUID holder) {
        this.sql = new HeldSql(dsl, table, holder);
        this.table = table;
        this.holder = holder;
    }

    /** Gives rows back, each with the status that is said for it. */
    List<List<String>> giveBack(Collection<Row> rows, Function<Row, @Nullable String> status) {
        return RowErrors.explained(table, () -> {
            Map<String, List<List<String>>> byStatus = new LinkedHashMap<>();
            Map<String, Row> example = new LinkedHashMap<>();
            for (Row row : rows) {
                String key = String.valueOf(status.apply(row)) + (status.apply(row) == null);
                byStatus.computeIfAbsent(key, k -> new ArrayList<>()).add(row.id());
                example.putIfAbsent(key, row);
            }
            if (byStatus.size() > 1) {
                sql.lock(ids(rows));
            }
            List<List<String>> lost = new ArrayList<>();
            byStatus.forEach((key, ids) -> {
                Map<List<String>, Boolean> done = sql.giveBack(ids, status.apply(example.get(key)));
                requireDone(done, "did not take the status it was to be given back with");
                lost.addAll(lost(ids, done));
            });
            return lost;
        });
    }

    /** Makes sure that rows have the saga's mark, and extends their deadlines. */
    void assertHeld(LockReceipt receipt) {
        List<List<String>> ids = ids(receipt.rows());
        Map<List<String>, Boolean> done =
                RowErrors.explained(table, () -> sql.keep(ids, sql.isMarked(receipt.pending()), receipt.lockedFor()));
        requireDone(done, "lost its mark when its deadline was extended");
        List<List<String>> lost = lost(ids, done);
        if (!lost.isEmpty()) {
            throw lost(lost, "the saga cannot rely on it");
        }
    }

    /** Extends the deadlines of the rows that are still held. */
    void extend(LockReceipt receipt, Duration atLeast) {
        sql.keep(ids(receipt.rows()), DSL.noCondition(), atLeast);
    }

    LockLostException lost(List<List<String>> ids, String consequence) {
        return new LockLostException(
                SagaError.LOCK_LOST,
                print(ids) + " is not held by saga " + holder + " any more; " + consequence
                        + "; nobody else's row was touched");
    }

    /** For people. */
    String print(List<List<String>> ids) {
        String more = ids.size() > 1 ? " (and " + (ids.size() - 1) + " more)" : "";
        return RowIds.print(table, ids.get(0)) + more;
    }

    private void requireDone(Map<List<String>, Boolean> done, String why) {
        done.forEach((id, asAsked) -> {
            if (!asAsked) {
                throw new RowUnavailableException(
                        Reason.MARK_REFUSED,
                        RowIds.print(table, id) + " " + why + ": a trigger or rule of the table undoes or changes it;"
                                + " nothing was changed");
            }
        });
    }

    private static List<List<String>> ids(Collection<Row> rows) {
        return rows.stream().map(Row::id).toList();
    }

    private static List<List<String>> lost(List<List<String>> ids, Map<List<String>, Boolean> held) {
        return ids.stream().filter(id -> !held.containsKey(id)).toList();
    }
}
