package io.holdfast.saga.jdbc.internal.lock;

import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import io.holdfast.saga.jdbc.internal.table.TableSpec;
import io.holdfast.saga.jdbc.internal.table.Untyped;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.UpdateConditionStep;
import org.jooq.UpdateFromStep;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * The statements by which a saga keeps its rows, and gives them back. Each carries the saga's id, so nobody else's row is touched;
 * each locks the rows in the order of their keys first; and each answers with the rows that the saga held, and whether they came
 * out as asked.
 */
final class HeldSql {
    private static final Field<OffsetDateTime> NOW = field(name("n", "now"), SQLDataType.TIMESTAMPWITHTIMEZONE);
    private static final Field<Boolean> DONE = field(name("u", "done"), SQLDataType.BOOLEAN);

    private final DSLContext dsl;
    private final Rows rows;
    private final UUID holder;

    HeldSql(DSLContext dsl, TableSpec table, UUID holder) {
        this.dsl = dsl;
        this.rows = Rows.of(table);
        this.holder = holder;
    }

    /** Locks rows whose next statements are several, so that their order is the order of the keys all the same. */
    void lock(List<List<String>> ids) {
        dsl.select(rows.ids().stream().map(Rows::text).toList())
                .from(rows.table())
                .where(rows.among(ids))
                .orderBy(rows.ids())
                .forNoKeyUpdate()
                .fetch();
    }

    /** Sets a status and frees the rows. */
    Map<List<String>, Boolean> giveBack(List<List<String>> ids, @Nullable String status) {
        var update = DSL.update(rows.table())
                .set(rows.status(), DSL.val(status, Untyped.TYPE))
                .setNull(rows.holder())
                .setNull(rows.deadline());
        Condition asAsked =
                status == null ? rows.status().isNull() : rows.status().eq(status);
        return run(
                held(ids, DSL.noCondition()), update, asAsked.and(rows.holder().isNull()));
    }

    /** Moves deadlines so that they are at least so far away; never nearer. */
    Map<List<String>, Boolean> keep(List<List<String>> ids, Condition besides, Duration atLeast) {
        Field<OffsetDateTime> deadline = greatest(rows.deadline(), Rows.later(NOW, atLeast));
        var update = DSL.update(rows.table()).set(rows.deadline(), deadline);
        return run(
                held(ids, besides), update, rows.holder().eq(holder.toString()).and(besides));
    }

    /** That rows still have their mark. */
    Condition isMarked(String pending) {
        return rows.status().eq(pending);
    }

    private CommonTableExpression<?> held(List<List<String>> ids, Condition besides) {
        return name("r")
                .asMaterialized(DSL.select(rows.idsAsKeys())
                        .from(rows.table())
                        .where(rows.among(ids))
                        .and(rows.holder().eq(holder.toString()))
                        .and(besides)
                        .orderBy(rows.ids())
                        .forNoKeyUpdate());
    }

    private Map<List<String>, Boolean> run(CommonTableExpression<?> held, UpdateFromStep<?> update, Condition asAsked) {
        var clock = name("n")
                .asMaterialized(
                        DSL.select(Rows.CLOCK.as("now"), count().as("found")).from(table(name("r"))));
        List<Field<String>> keys = rows.keys("r");
        List<Field<?>> returned = new ArrayList<>(keys);
        returned.add(field(asAsked).as("done"));
        UpdateConditionStep<?> updated =
                update.from(table(name("r")), table(name("n"))).where(rows.sameKey(rows.ids(), keys));
        List<Field<?>> fields = new ArrayList<>(keys.stream().map(Rows::text).toList());
        fields.add(DONE);
        return dsl
                .with(held, clock, name("u").as(updated.returningResult(returned)))
                .select(fields)
                .from(table(name("r")))
                .leftJoin(table(name("u")))
                .on(rows.sameKey(rows.keys("u"), keys))
                .orderBy(keys)
                .fetch()
                .stream()
                .collect(LinkedHashMap::new, this::put, Map::putAll);
    }

    private void put(Map<List<String>, Boolean> done, Record found) {
        List<String> id = new ArrayList<>();
        for (int i = 0; i < rows.ids().size(); i++) {
            id.add(found.get(i, String.class));
        }
        done.put(List.copyOf(id), Boolean.TRUE.equals(found.get(rows.ids().size(), Boolean.class)));
    }
}
