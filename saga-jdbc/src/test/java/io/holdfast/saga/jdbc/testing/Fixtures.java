package io.holdfast.saga.jdbc.testing;

import javax.sql.DataSource;

/** The business tables that the tests of the known cases run on. */
public final class Fixtures {

    /** FX-ORD: orders 1 to 20, all NEW. */
    public static final String ORDERS = """
            CREATE TABLE orders (
                id           bigint PRIMARY KEY,
                status       text NOT NULL DEFAULT 'NEW',
                saga_id      uuid,
                locked_until timestamptz,
                version      bigint NOT NULL DEFAULT 0,
                total        numeric(12,2) NOT NULL DEFAULT 10);
            INSERT INTO orders (id) SELECT generate_series(1, 20);
            """;

    /** FX-STK: ten each of a and b, which cannot go below zero. */
    public static final String STOCK = """
            CREATE TABLE stock (
                sku          text PRIMARY KEY,
                qty          int NOT NULL CHECK (qty >= 0),
                status       text NOT NULL DEFAULT 'FREE',
                saga_id      uuid,
                locked_until timestamptz);
            INSERT INTO stock (sku, qty) VALUES ('a', 10), ('b', 10);
            """;

    /** FX-ACC: accounts, none yet, which cannot be overdrawn. */
    public static final String ACCOUNT = """
            CREATE TABLE account (
                id      uuid PRIMARY KEY,
                balance numeric(14,2) NOT NULL CHECK (balance >= 0),
                version bigint NOT NULL DEFAULT 0);
            """;

    /** FX-EFF: the oracle of what really ran, see {@link Effects}. */
    public static final String EFFECT = """
            CREATE TABLE effect (
                seq      bigserial,
                saga_id  uuid,
                step     text,
                phase    text,
                run_seq  bigint,
                worker   text,
                idem_key text,
                at       timestamptz DEFAULT clock_timestamp());
            """;

    private Fixtures() {}

    /** Creates and fills the given tables. */
    public static void install(DataSource dataSource, String... tables) {
        Sql.execute(dataSource, String.join("\n", tables));
    }
}
