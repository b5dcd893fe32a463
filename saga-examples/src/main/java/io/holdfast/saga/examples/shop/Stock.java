package io.holdfast.saga.examples.shop;

import java.util.Map;
import org.jooq.DSLContext;

/** The table shop.stock. */
public final class Stock {
    private Stock() {}

    /**
     * Goods arrive.
     *
     * @param dsl where to write
     * @param sku what
     * @param quantity how many
     */
    public static void receive(DSLContext dsl, String sku, int quantity) {
        dsl.execute("insert into shop.stock (sku, received, available) values (?, ?, ?)", sku, quantity, quantity);
    }

    /** Takes goods if enough are there: one statement, so that two buyers cannot both take the last. */
    static boolean take(DSLContext dsl, String sku, int quantity) {
        return dsl.execute(
                        "update shop.stock set available = available - ? where sku = ? and available >= ?",
                        quantity,
                        sku,
                        quantity)
                == 1;
    }

    static void giveBack(DSLContext dsl, String sku, int quantity) {
        dsl.execute("update shop.stock set available = available + ? where sku = ?", quantity, sku);
    }

    /** What has left the shelf, by sku. */
    static Map<String, Integer> taken(DSLContext dsl) {
        return dsl.fetch("select sku, received - available from shop.stock")
                .intoMap(row -> row.get(0, String.class), row -> row.get(1, Integer.class));
    }
}
