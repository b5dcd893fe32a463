package io.holdfast.saga.jdbc.internal.lock;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;

import io.holdfast.saga.jdbc.internal.table.TableSpec;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * The statement by which a heartbeat renews rows of one table for many sagas. It never waits: a row that is locked is being worked
 * on, and its turn comes with the next beat. Rows with more than half of their duration left are not written at all.
 */
final class RenewalSql {
    private static final String WANTED_ALIAS = "w";

    private static final Field<String> HOLDER = field(name(WANTED_ALIAS, "holder"), SQLDataType.CLOB);
    private static final Field<Long> MILLIS = field(name(WANTED_ALIAS, "millis"), SQLDataType.BIGINT);

    private final Rows rows;

    RenewalSql(TableSpec table) {
        this.rows = Rows.of(table);
    }

    /**
     * What one row is to have.
     *
     * @param id as the database prints it
     * @param holder the saga that is thought to hold it
     * @param millis its duration
     */
    record Wanted(List<String> id, UUID holder, long millis) {}

    /** Returns how many rows were renewed; none once the time is over. */
    int renew(DSLContext dsl, List<Wanted> wanted, @Nullable OffsetDateTime until) {
        List<Field<String>> keys = rows.keys("r");
        return dsl.with(due(wanted, until))
                .update(rows.table())
                .set(rows.deadline(), after(field(name("r", "millis"), SQLDataType.BIGINT), ""))
                .from(table(name("r")))
                .where(rows.sameKey(rows.ids(), keys))
                .execute();
    }

    private CommonTableExpression<?> due(List<Wanted> wanted, @Nullable OffsetDateTime until) {
        List<Field<?>> fields = new ArrayList<>(rows.idsAsKeys());
        fields.add(MILLIS);
        List<List<String>> ids = wanted.stream().map(Wanted::id).distinct().toList();
        return name("r")
                .asMaterialized(DSL.select(fields)
                        .from(rows.table())
                        .join(list(wanted))
                        .on(isWanted())
                        .where(rows.among(ids))
                        .and(rows.deadline().isNull().or(rows.deadline().lt(after(MILLIS, " / 2"))))
                        .and(until == null ? noCondition() : Rows.CLOCK.lt(until))
                        .orderBy(rows.ids())
                        .forNoKeyUpdate()
                        .of(rows.table())
                        .skipLocked());
    }

    /** Compared as texts, which is what receipts hold; the index is found by the list of ids beside it. */
    private Condition isWanted() {
        Condition same = Rows.text(rows.holder()).eq(HOLDER);
        for (int i = 0; i < rows.ids().size(); i++) {
            same = same.and(Rows.text(rows.ids().get(i))
                    .eq(field(name(WANTED_ALIAS, "k" + (i + 1)), SQLDataType.CLOB)));
        }
        return same;
    }

    private Table<?> list(List<Wanted> wanted) {
        List<Field<?>> columns = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < rows.ids().size(); i++) {
            int part = i;
            columns.add(texts(wanted.stream().map(one -> one.id().get(part))));
            names.add("k" + (i + 1));
        }
        columns.add(texts(wanted.stream().map(one -> one.holder().toString())));
        names.add("holder");
        columns.add(val(wanted.stream().map(Wanted::millis).toArray(Long[]::new)));
        names.add("millis");
        return table("unnest({0})", DSL.list(columns)).as(WANTED_ALIAS, names.toArray(String[]::new));
    }

    private static Field<String[]> texts(Stream<String> values) {
        return val(values.toArray(String[]::new)).cast(SQLDataType.CLOB.array());
    }

    private static Field<OffsetDateTime> after(Field<Long> millis, String divided) {
        return field(
                "({0} + {1}" + divided + " * interval '1 millisecond')",
                SQLDataType.TIMESTAMPWITHTIMEZONE,
                Rows.CLOCK,
                millis);
    }
}
