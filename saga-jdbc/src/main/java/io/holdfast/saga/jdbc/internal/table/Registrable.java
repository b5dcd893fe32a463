package io.holdfast.saga.jdbc.internal.table;

import org.jooq.DSLContext;

/** What a tool needs of the database, looked at when a definition that uses it is registered. */
public interface Registrable {
    /**
     * Checks the tool's tables.
     *
     * @throws io.holdfast.saga.SagaDefinitionException when a table is not fit; the message names the column and its type
     */
    void register(DSLContext dsl);
}
