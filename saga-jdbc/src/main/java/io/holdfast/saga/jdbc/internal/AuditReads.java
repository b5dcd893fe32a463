package io.holdfast.saga.jdbc.internal;

import static io.holdfast.saga.jdbc.internal.SagaTables.AT;
import static io.holdfast.saga.jdbc.internal.SagaTables.ATTEMPT;
import static io.holdfast.saga.jdbc.internal.SagaTables.ATTEMPTS;
import static io.holdfast.saga.jdbc.internal.SagaTables.BUSINESS_KEY;
import static io.holdfast.saga.jdbc.internal.SagaTables.CHANGED_AT;
import static io.holdfast.saga.jdbc.internal.SagaTables.CREATED_AT;
import static io.holdfast.saga.jdbc.internal.SagaTables.DEADLINE_AT;
import static io.holdfast.saga.jdbc.internal.SagaTables.DEFINITION_HASH;
import static io.holdfast.saga.jdbc.internal.SagaTables.DIRECTION;
import static io.holdfast.saga.jdbc.internal.SagaTables.DUE_AT;
import static io.holdfast.saga.jdbc.internal.SagaTables.ERROR;
import static io.holdfast.saga.jdbc.internal.SagaTables.IDENTITY;
import static io.holdfast.saga.jdbc.internal.SagaTables.INCARNATION;
import static io.holdfast.saga.jdbc.internal.SagaTables.KIND;
import static io.holdfast.saga.jdbc.internal.SagaTables.LAST_ERROR;
import static io.holdfast.saga.jdbc.internal.SagaTables.NODE;
import static io.holdfast.saga.jdbc.internal.SagaTables.NOTE;
import static io.holdfast.saga.jdbc.internal.SagaTables.OWNER;
import static io.holdfast.saga.jdbc.internal.SagaTables.PIVOT;
import static io.holdfast.saga.jdbc.internal.SagaTables.RUN_SEQ;
import static io.holdfast.saga.jdbc.internal.SagaTables.SAGA_ID;
import static io.holdfast.saga.jdbc.internal.SagaTables.SEQ;
import static io.holdfast.saga.jdbc.internal.SagaTables.STATE;
import static io.holdfast.saga.jdbc.internal.SagaTables.STEP;
import static io.holdfast.saga.jdbc.internal.SagaTables.STEP_AT;
import static io.holdfast.saga.jdbc.internal.SagaTables.TAKEOVERS;
import static io.holdfast.saga.jdbc.internal.SagaTables.TYPE_NAME;
import static io.holdfast.saga.jdbc.internal.SagaTables.TYPE_VERSION;

import io.holdfast.saga.Direction;
import io.holdfast.saga.JournalEntry;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.SagaSnapshot;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.internal.Checks;
import io.holdfast.saga.jdbc.audit.SagaAudit;
import io.holdfast.saga.jdbc.audit.SagaQuery;
import io.holdfast.saga.spi.DefinitionRef;
import io.holdfast.saga.spi.NewEntry;
import io.holdfast.saga.spi.StoredEntry;
import io.holdfast.saga.spi.StoredSaga;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SelectField;
import org.jooq.Table;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jooq.types.DayToSecond;
import org.jspecify.annotations.Nullable;

/** Reads for auditors. Data and results are in no select list: a list of large sagas costs no more than one of small ones. */
public final class AuditReads implements SagaAudit {
    private static final Field<OffsetDateTime> NOW = DSL.field("clock_timestamp()", OffsetDateTime.class);
    private static final Field<String> TABLE_NAME = DSL.field(DSL.name("table_name"), String.class);
    private static final Field<String> ROW_ID = DSL.field(DSL.name("row_id"), String.class);
    private static final Field<String> FORMER_STATUS = DSL.field(DSL.name("former_status"), String.class);
    private static final Field<String> CLAIMED_BY = DSL.field(DSL.name("claimed_by"), String.class);
    private static final Field<OffsetDateTime> CLAIMED_AT = DSL.field(DSL.name("claimed_at"), OffsetDateTime.class);

    private static final List<SelectField<?>> ROW = List.of(
            SAGA_ID,
            TYPE_NAME,
            TYPE_VERSION,
            DEFINITION_HASH,
            BUSINESS_KEY,
            IDENTITY,
            INCARNATION,
            STATE,
            DIRECTION,
            PIVOT,
            STEP,
            ATTEMPTS,
            STEP_AT,
            TAKEOVERS,
            RUN_SEQ,
            OWNER,
            DUE_AT,
            DEADLINE_AT,
            LAST_ERROR,
            CREATED_AT,
            NOW.as("now"));

    private final DataSource dataSource;
    private final SagaTables tables;
    private final Table<Record> locks;

    /** Reads from one schema. */
    public AuditReads(DataSource dataSource, String schema) {
        this.dataSource = dataSource;
        this.tables = SagaTables.in(schema);
        this.locks = DSL.table(DSL.name(schema, "saga_locks"));
    }

    @Override
    public Optional<SagaSnapshot> find(UUID sagaId) {
        Checks.argument("saga id", sagaId);
        return read(dsl ->
                dsl.select(ROW).from(tables.saga()).where(SAGA_ID.eq(sagaId)).fetchOptional(AuditReads::saga));
    }

    @Override
    public List<SagaSnapshot> find(SagaQuery query) {
        AuditQuery asked = (AuditQuery) Checks.argument("query", query);
        return read(dsl -> dsl.select(ROW)
                .from(tables.saga())
                .where(conditions(asked))
                .orderBy(CREATED_AT, SAGA_ID)
                .limit(asked.rows())
                .fetch(AuditReads::saga));
    }

    private static List<Condition> conditions(AuditQuery asked) {
        List<Condition> conditions = new ArrayList<>();
        if (asked.type() != null) {
            conditions.add(TYPE_NAME.eq(asked.type()));
        }
        if (!asked.states().equals(AuditQuery.ALL.states())) {
            // literals: a bind value loses the partial index of stuck sagas from the sixth execution on
            conditions.add(STATE.in(asked.states().stream()
                    .map(state -> DSL.inline(state.name()))
                    .toList()));
        }
        if (asked.unchanged() != null) {
            conditions.add(CHANGED_AT.le(NOW.sub(DayToSecond.valueOf(asked.unchanged()))));
        }
        if (asked.from() != null) {
            OffsetDateTime at = asked.from().createdAt().atOffset(ZoneOffset.UTC);
            conditions.add(DSL.row(CREATED_AT, SAGA_ID).gt(at, asked.from().sagaId()));
        }
        return conditions;
    }

    private static SagaSnapshot saga(Record row) {
        return new StoredSaga(
                origin(row),
                new StoredSaga.Position(
                        SagaState.valueOf(row.get(STATE)),
                        Direction.valueOf(row.get(DIRECTION)),
                        Pivot.valueOf(row.get(PIVOT)),
                        row.get(STEP),
                        row.get(ATTEMPTS),
                        row.get(STEP_AT).toInstant()),
                new StoredSaga.Lease(row.get(OWNER), instant(row.get(DUE_AT)), row.get(RUN_SEQ), row.get(TAKEOVERS)),
                row.get(LAST_ERROR),
                row.get("now", OffsetDateTime.class).toInstant());
    }

    private static StoredSaga.Origin origin(Record row) {
        return new StoredSaga.Origin(
                row.get(SAGA_ID),
                new DefinitionRef(row.get(TYPE_NAME), row.get(TYPE_VERSION), row.get(DEFINITION_HASH)),
                row.get(BUSINESS_KEY),
                row.get(IDENTITY),
                row.get(INCARNATION),
                "",
                row.get(CREATED_AT).toInstant(),
                instant(row.get(DEADLINE_AT)));
    }

    private static java.time.@Nullable Instant instant(@Nullable OffsetDateTime at) {
        return at == null ? null : at.toInstant();
    }

    @Override
    public List<JournalEntry> timeline(UUID sagaId) {
        Checks.argument("saga id", sagaId);
        return read(dsl -> dsl.select(SEQ, AT, RUN_SEQ, NODE, KIND, STEP, DIRECTION, ATTEMPT, ERROR, NOTE)
                .from(tables.log())
                .where(SAGA_ID.eq(sagaId))
                .orderBy(SEQ)
                .fetch(AuditReads::entry));
    }

    private static JournalEntry entry(Record row) {
        NewEntry entry = new NewEntry(
                JournalEntry.Kind.valueOf(row.get(KIND)),
                row.get(STEP),
                Direction.valueOf(row.get(DIRECTION)),
                row.get(ATTEMPT),
                null,
                row.get(ERROR),
                row.get(NOTE));
        return new StoredEntry(row.get(SEQ), row.get(AT).toInstant(), row.get(RUN_SEQ), row.get(NODE), entry);
    }

    @Override
    public List<HeldRow> locksHeld(UUID sagaId) {
        Checks.argument("saga id", sagaId);
        return read(dsl -> dsl.select(TABLE_NAME, ROW_ID, FORMER_STATUS, CLAIMED_BY, CLAIMED_AT)
                .from(locks)
                .where(SAGA_ID.eq(sagaId))
                .orderBy(CLAIMED_AT, TABLE_NAME, ROW_ID)
                .fetch(row -> new HeldRow(
                        row.get(TABLE_NAME),
                        row.get(ROW_ID),
                        Optional.ofNullable(row.get(FORMER_STATUS)),
                        row.get(CLAIMED_BY),
                        row.get(CLAIMED_AT).toInstant())));
    }

    <T> T read(Function<DSLContext, T> select) {
        try (Taken taken = Taken.forStatements(dataSource)) {
            return select.apply(Jooq.on(taken.connection()));
        } catch (SQLException | DataAccessException e) {
            throw SqlStates.unavailable("sagas cannot be read", e);
        }
    }
}
