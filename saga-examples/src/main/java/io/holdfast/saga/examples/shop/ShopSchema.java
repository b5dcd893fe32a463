package io.holdfast.saga.examples.shop;

import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** The shop's own tables, in the schema "shop". */
public final class ShopSchema {
    /** The columns saga_id and locked_until are the semantic lock's; the rest is the shop's business. */
    private static final String DDL = """
            CREATE SCHEMA shop;

            CREATE TABLE shop.stock (
                sku       text PRIMARY KEY,
                received  int NOT NULL,
                available int NOT NULL CHECK (available >= 0));

            CREATE TABLE shop.accounts (
                id   bigint PRIMARY KEY,
                paid numeric(12,2) NOT NULL DEFAULT 0);

            CREATE TABLE shop.orders (
                id           bigint PRIMARY KEY,
                sku          text NOT NULL REFERENCES shop.stock,
                quantity     int NOT NULL CHECK (quantity > 0),
                account      bigint NOT NULL REFERENCES shop.accounts,
                total        numeric(12,2) NOT NULL CHECK (total > 0),
                status       text NOT NULL DEFAULT 'NEW' CHECK (status IN ('NEW', 'PENDING', 'CONFIRMED')),
                saga_id      uuid,
                locked_until timestamptz);
            """;

    private ShopSchema() {}

    /**
     * Creates the tables, empty.
     *
     * @param dataSource where
     */
    public static void create(DataSource dataSource) {
        DSL.using(dataSource, SQLDialect.POSTGRES).execute(DDL);
    }
}
