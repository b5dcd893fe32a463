package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.internal.Checks;
import io.holdfast.saga.internal.Texts;
import java.nio.charset.StandardCharsets;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** A valid name of a schema: what the server would silently cut or cannot store is refused. */
public record SchemaName(String name) {
    /** NAMEDATALEN - 1. */
    private static final int MOST_BYTES = 63;

    /** The name, checked. */
    public static SchemaName of(@Nullable String given) {
        String name = Checks.notNull("schema name", given);
        if (name.isBlank() || !Texts.isStorable(name) || name.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
            throw new SagaDefinitionException(
                    SagaError.INVALID_NAME,
                    "schema name \"" + Texts.printable(name) + "\" is refused: 1 to " + MOST_BYTES
                            + " bytes, not blank, without NUL and unpaired surrogates");
        }
        return new SchemaName(name);
    }

    /** As it stands in SQL. */
    public String quoted() {
        return DSL.using(SQLDialect.POSTGRES).render(DSL.name(name));
    }

    /** A name in this schema, as it stands in SQL. */
    public String quoted(String local) {
        return DSL.using(SQLDialect.POSTGRES).render(DSL.name(name, local));
    }
}
