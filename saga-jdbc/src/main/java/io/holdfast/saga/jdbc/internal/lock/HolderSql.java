package io.holdfast.saga.jdbc.internal.lock;

import static io.holdfast.saga.jdbc.internal.SagaTables.CREATED_AT;
import static io.holdfast.saga.jdbc.internal.SagaTables.DUE_AT;
import static io.holdfast.saga.jdbc.internal.SagaTables.KIND;
import static io.holdfast.saga.jdbc.internal.SagaTables.PIVOT;
import static io.holdfast.saga.jdbc.internal.SagaTables.RESULT;
import static io.holdfast.saga.jdbc.internal.SagaTables.SAGA_ID;
import static io.holdfast.saga.jdbc.internal.SagaTables.SEQ;
import static io.holdfast.saga.jdbc.internal.SagaTables.STATE;
import static io.holdfast.saga.jdbc.internal.SagaTables.STEP;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.jdbc.internal.SagaTables;
import io.holdfast.saga.jdbc.internal.table.TableSpec;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.impl.DSL;

/** What the saga tables say about the holder of a row. Reads only. */
final class HolderSql {
    private final DSLContext dsl;
    private final SagaTables tables;

    HolderSql(DSLContext dsl, SagaTables tables) {
        this.dsl = dsl;
        this.tables = tables;
    }

    /** Where a saga stands; empty when its row is gone. */
    Optional<Holder> find(UUID sagaId) {
        return dsl.select(
                        STATE,
                        PIVOT,
                        STEP,
                        CREATED_AT,
                        DSL.field(DUE_AT.le(Rows.CLOCK)).as("overdue"))
                .from(tables.saga())
                .where(SAGA_ID.eq(sagaId))
                .fetchOptional(HolderSql::holder);
    }

    private static Holder holder(Record found) {
        return new Holder(
                SagaState.valueOf(found.get(STATE)),
                Pivot.valueOf(found.get(PIVOT)),
                found.get(STEP),
                found.get(CREATED_AT).toInstant(),
                Boolean.TRUE.equals(found.get("overdue", Boolean.class)));
    }

    /** How a saga took a row, by its journal: the latest claim that did not find it held already. */
    Optional<LockReceipt.Row> acquired(UUID sagaId, TableSpec table, List<String> id) {
        return dsl
                .select(RESULT)
                .from(tables.log())
                .where(SAGA_ID.eq(sagaId))
                .and(KIND.eq(Kind.STEP_DONE.name()))
                .and(DSL.jsonbGetAttributeAsText(RESULT, "lock").eq(table.quoted()))
                .orderBy(SEQ.desc())
                .fetch(RESULT)
                .stream()
                .map(JSONB::data)
                .flatMap(json -> LockReceipt.read(json).acquired().stream())
                .filter(row -> row.id().equals(id))
                .findFirst();
    }
}
