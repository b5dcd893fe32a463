package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.spi.StoreTransaction;
import org.jooq.DSLContext;

/**
 * An open transaction on PostgreSQL.
 *
 * @param dsl bound to its connection, and closed for use when the step ends
 * @param tables where the sagas are
 */
public record JdbcTransaction(DSLContext dsl, SagaTables tables) implements StoreTransaction {}
