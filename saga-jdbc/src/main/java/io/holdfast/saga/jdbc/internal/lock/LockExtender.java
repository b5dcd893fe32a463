package io.holdfast.saga.jdbc.internal.lock;

import io.holdfast.saga.jdbc.internal.HoldingExtender;
import io.holdfast.saga.jdbc.internal.lock.RenewalSql.Wanted;
import io.holdfast.saga.jdbc.internal.table.TableSpec;
import io.holdfast.saga.spi.Holding;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** Renews the rows that receipts name, table by table; a table whose renewal fails does not keep the others from theirs. */
public final class LockExtender implements HoldingExtender {
    private static final int MOST_AT_ONCE = 500;

    private static final Comparator<TableSpec> IN_ORDER =
            Comparator.comparing((TableSpec table) -> table.quoted()).thenComparing(TableSpec::toString);

    @Override
    public void extend(DSLContext dsl, List<Holding> holdings, @Nullable OffsetDateTime until) {
        @Nullable DataAccessException failure = null;
        for (Map.Entry<TableSpec, List<Wanted>> table : byTable(holdings).entrySet()) {
            RenewalSql sql = new RenewalSql(table.getKey());
            List<Wanted> wanted = table.getValue();
            try {
                for (int from = 0; from < wanted.size(); from += MOST_AT_ONCE) {
                    sql.renew(dsl, wanted.subList(from, Math.min(wanted.size(), from + MOST_AT_ONCE)), until);
                }
            } catch (DataAccessException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static Map<TableSpec, List<Wanted>> byTable(List<Holding> holdings) {
        Map<TableSpec, List<Wanted>> tables = new TreeMap<>(IN_ORDER);
        for (Holding holding : holdings) {
            LockReceipt receipt = LockReceipt.read(holding.receipt());
            List<Wanted> wanted = tables.computeIfAbsent(receipt.table(), table -> new ArrayList<>());
            receipt.rows()
                    .forEach(row -> wanted.add(new Wanted(
                            row.id(), holding.sagaId(), receipt.lockedFor().toMillis())));
        }
        return tables;
    }
}
