package io.holdfast.saga.jdbc.internal;

import java.time.OffsetDateTime;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.impl.DSL;

/**
 * The names of the saga tables in one schema: always qualified, always quoted. Immutable.
 *
 * @param quoted the names as they stand in SQL, by their places in it; rendered once
 */
public record SagaTables(Table<Record> saga, Table<Record> log, Table<Record> reservation, Map<String, String> quoted) {
    public static final Field<UUID> SAGA_ID = field("saga_id", UUID.class);
    public static final Field<String> TYPE_NAME = field("type_name", String.class);
    public static final Field<Integer> TYPE_VERSION = field("type_version", Integer.class);
    public static final Field<String> DEFINITION_HASH = field("definition_hash", String.class);
    public static final Field<String> BUSINESS_KEY = field("business_key", String.class);
    public static final Field<String> IDENTITY = field("identity", String.class);
    public static final Field<UUID> INCARNATION = field("incarnation", UUID.class);
    public static final Field<JSONB> DATA = field("data", JSONB.class);
    public static final Field<String> STATE = field("state", String.class);
    public static final Field<String> DIRECTION = field("direction", String.class);
    public static final Field<String> PIVOT = field("pivot", String.class);
    public static final Field<String> STEP = field("step", String.class);
    public static final Field<Integer> ATTEMPTS = field("attempts", Integer.class);
    public static final Field<OffsetDateTime> STEP_AT = field("step_at", OffsetDateTime.class);
    public static final Field<Integer> TAKEOVERS = field("takeovers", Integer.class);
    public static final Field<Long> RUN_SEQ = field("run_seq", Long.class);
    public static final Field<String> OWNER = field("owner", String.class);
    public static final Field<OffsetDateTime> DUE_AT = field("due_at", OffsetDateTime.class);
    public static final Field<Long> LOG_SEQ = field("log_seq", Long.class);
    public static final Field<OffsetDateTime> DEADLINE_AT = field("deadline_at", OffsetDateTime.class);
    public static final Field<String> LAST_ERROR = field("last_error", String.class);
    public static final Field<OffsetDateTime> CREATED_AT = field("created_at", OffsetDateTime.class);
    public static final Field<OffsetDateTime> CHANGED_AT = field("changed_at", OffsetDateTime.class);

    public static final Field<Long> SEQ = field("seq", Long.class);
    public static final Field<OffsetDateTime> AT = field("at", OffsetDateTime.class);
    public static final Field<String> KIND = field("kind", String.class);
    public static final Field<Integer> ATTEMPT = field("attempt", Integer.class);
    public static final Field<String> NODE = field("node", String.class);
    public static final Field<JSONB> RESULT = field("result", JSONB.class);
    public static final Field<String> ERROR = field("error", String.class);
    public static final Field<String> NOTE = field("note", String.class);

    private static final Pattern PLACES = Pattern.compile("\\{saga}|\\{log}|\\{reservation}");

    /** The tables in a schema. */
    public static SagaTables in(String schema) {
        Table<Record> saga = DSL.table(DSL.name(schema, "saga"));
        Table<Record> log = DSL.table(DSL.name(schema, "saga_log"));
        Table<Record> reservation = DSL.table(DSL.name(schema, "saga_reservation"));
        DSLContext dsl = DSL.using(SQLDialect.POSTGRES);
        Map<String, String> quoted =
                Map.of("{saga}", dsl.render(saga), "{log}", dsl.render(log), "{reservation}", dsl.render(reservation));
        return new SagaTables(saga, log, reservation, quoted);
    }

    /** SQL with the quoted names of the tables in place of <code>{saga}</code>, <code>{log}</code> and <code>{reservation}</code>. */
    public String sql(String text) {
        return PLACES.matcher(text).replaceAll(place -> Matcher.quoteReplacement(quoted.get(place.group())));
    }

    private static <T> Field<T> field(String name, Class<T> type) {
        return DSL.field(DSL.name(name), type);
    }
}
