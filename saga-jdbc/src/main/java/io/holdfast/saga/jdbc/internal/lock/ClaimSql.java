package io.holdfast.saga.jdbc.internal.lock;

import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.when;

import io.holdfast.saga.jdbc.internal.lock.SeenRow.Fate;
import io.holdfast.saga.jdbc.internal.lock.SeenRow.Until;
import io.holdfast.saga.jdbc.internal.table.Untyped;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** The statements by which rows of one table are claimed. */
final class ClaimSql {
    private static final Field<String> FORMER = field(name("r", "former"), Untyped.TYPE);
    private static final Field<String> HOLDER = field(name("r", "holder"), Untyped.TYPE);
    private static final Field<OffsetDateTime> UNTIL = field(name("r", "until"), SQLDataType.TIMESTAMPWITHTIMEZONE);
    private static final Field<OffsetDateTime> NOW = field(name("n", "now"), SQLDataType.TIMESTAMPWITHTIMEZONE);
    private static final Field<Boolean> MARKED = field(name("u", "marked"), SQLDataType.BOOLEAN);
    private static final Field<Boolean> WATCHED = field(name("u", "watched"), SQLDataType.BOOLEAN);

    private final DSLContext dsl;
    private final Rows rows;
    private final LockSpec lock;
    private final UUID claimer;

    ClaimSql(DSLContext dsl, LockSpec lock, UUID claimer) {
        this.dsl = dsl;
        this.rows = Rows.of(lock.table());
        this.lock = lock;
        this.claimer = claimer;
    }

    /**
     * Locks the rows in the order of their keys (r), then reads the clock (n, which must see all of r first), then marks those that
     * are free or the claimer's own (u), and tells of each row what it was and what became of it. One round trip.
     */
    List<SeenRow> claim(List<List<String>> ids, Duration lockFor) {
        Field<Boolean> takeable = coalesce(field(takeable()), inline(false)).as("takeable");
        Field<Boolean> passed = field(UNTIL.isNull().or(UNTIL.le(NOW))).as("passed");
        List<Field<String>> keys = rows.keys("r");
        List<Field<?>> fields = new ArrayList<>(keys.stream().map(Rows::text).toList());
        fields.addAll(List.of(Rows.text(FORMER), Rows.text(HOLDER), Rows.text(UNTIL), finite(), passed, takeable));
        fields.addAll(List.of(MARKED, WATCHED));
        return dsl.with(locked(ids), clock(), marked(lockFor))
                .select(fields)
                .from(table(name("r")))
                .crossJoin(table(name("n")))
                .leftJoin(table(name("u")))
                .on(rows.sameKey(rows.keys("u"), keys))
                .orderBy(keys)
                .fetch(this::seen);
    }

    private CommonTableExpression<?> locked(List<List<String>> ids) {
        List<Field<?>> fields = new ArrayList<>(rows.idsAsKeys());
        fields.addAll(List.of(
                rows.status().as("former"),
                rows.holder().as("holder"),
                rows.deadline().as("until")));
        return name("r")
                .asMaterialized(DSL.select(fields)
                        .from(rows.table())
                        .where(rows.among(ids))
                        .orderBy(rows.ids())
                        .forNoKeyUpdate());
    }

    private static CommonTableExpression<?> clock() {
        return name("n")
                .asMaterialized(
                        DSL.select(Rows.CLOCK.as("now"), count().as("found")).from(table(name("r"))));
    }

    private CommonTableExpression<?> marked(Duration lockFor) {
        Field<OffsetDateTime> kept = when(HOLDER.eq(claimer.toString()), UNTIL);
        Field<OffsetDateTime> deadline = greatest(kept, Rows.later(NOW, lockFor));
        List<Field<?>> returned = new ArrayList<>(rows.keys("r"));
        returned.add(field(isMarked(deadline)).as("marked"));
        returned.add(watched().as("watched"));
        return name("u")
                .as(DSL.update(rows.table())
                        .set(rows.status(), lock.statuses().pending())
                        .set(rows.holder(), claimer.toString())
                        .set(rows.deadline(), deadline)
                        .from(table(name("r")), table(name("n")))
                        .where(rows.sameKey(rows.ids(), rows.keys("r")))
                        .and(takeable())
                        .returningResult(returned));
    }

    private Condition takeable() {
        List<String> from = lock.statuses().from();
        Condition status =
                from.isEmpty() ? FORMER.isDistinctFrom(lock.statuses().pending()) : FORMER.in(from);
        return HOLDER.eq(claimer.toString()).or(HOLDER.isNull().and(status));
    }

    /** Triggers change what is stored; a column of less precision rounds. */
    private Condition isMarked(Field<OffsetDateTime> deadline) {
        Duration tolerance = Duration.ofSeconds(1);
        return rows.status()
                .eq(lock.statuses().pending())
                .and(rows.holder().eq(claimer.toString()))
                .and(rows.deadline()
                        .between(Rows.later(deadline, tolerance.negated()), Rows.later(deadline, tolerance)));
    }

    /** Whether the row's table (or partition) has AFTER UPDATE triggers of a user. */
    private static Field<Boolean> watched() {
        return field(
                "exists (select 1 from pg_catalog.pg_trigger g where g.tgrelid = t.tableoid and not g.tgisinternal"
                        + " and g.tgtype::integer & 2 = 0 and g.tgtype::integer & 16 <> 0)",
                SQLDataType.BOOLEAN);
    }

    private static Field<OffsetDateTime> finite() {
        return when(field("isfinite({0})", SQLDataType.BOOLEAN, UNTIL).isTrue(), UNTIL);
    }

    private SeenRow seen(Record found) {
        int key = rows.ids().size();
        List<String> id = new ArrayList<>();
        for (int i = 0; i < key; i++) {
            id.add(found.get(i, String.class));
        }
        OffsetDateTime until = found.get(key + 3, OffsetDateTime.class);
        return new SeenRow(
                List.copyOf(id),
                found.get(key, String.class),
                found.get(key + 1, String.class),
                new Until(
                        found.get(key + 2, String.class),
                        until == null ? null : until.toInstant(),
                        isTrue(found, key + 4)),
                new Fate(isTrue(found, key + 5), isTrue(found, key + 6), isTrue(found, key + 7)));
    }

    private static boolean isTrue(Record found, int index) {
        return Boolean.TRUE.equals(found.get(index, Boolean.class));
    }

    /** Whether there is a row with this id, in whatever spelling. */
    boolean exists(List<String> id) {
        return dsl.fetchExists(rows.table(), rows.among(List.of(id)));
    }

    /** Takes a row from exactly the holder and deadline that were seen. Returns whether it took the mark. */
    boolean takeFrom(SeenRow row, Duration lockFor) {
        Field<OffsetDateTime> deadline = Rows.later(Rows.CLOCK, lockFor);
        @Nullable
        Boolean marked = dsl.update(rows.table())
                .set(rows.status(), lock.statuses().pending())
                .set(rows.holder(), claimer.toString())
                .set(rows.deadline(), deadline)
                .where(rows.among(List.of(row.id())))
                .and(rows.holder().eq(row.holder()))
                .and(Rows.text(rows.deadline()).isNotDistinctFrom(row.until().text()))
                .returningResult(field(isMarked(deadline)))
                .fetchOne(0, Boolean.class);
        return Boolean.TRUE.equals(marked);
    }

    /** How many of the rows still have the mark, for tables with triggers that run after the update. */
    int stillMarked(List<List<String>> ids) {
        return dsl.fetchCount(
                rows.table(),
                rows.among(ids)
                        .and(rows.status().eq(lock.statuses().pending()))
                        .and(rows.holder().eq(claimer.toString()))
                        .and(rows.deadline().gt(Rows.CLOCK)));
    }
}
