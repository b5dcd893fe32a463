package io.holdfast.saga.examples.shop;

import java.math.BigDecimal;
import java.util.Map;
import org.jooq.DSLContext;

/** The table shop.accounts. */
public final class Accounts {
    private Accounts() {}

    /**
     * A customer comes.
     *
     * @param dsl where to write
     * @param id the customer's number, also at the payment provider
     */
    public static void open(DSLContext dsl, long id) {
        dsl.execute("insert into shop.accounts (id) values (?)", id);
    }

    /** Adds to what an account has paid. Not idempotent, and need not be: a local step is done exactly once. */
    static void book(DSLContext dsl, long id, BigDecimal amount) {
        dsl.execute("update shop.accounts set paid = paid + ? where id = ?", amount, id);
    }

    /** What accounts have paid, without those that have paid nothing. */
    static Map<Long, BigDecimal> paid(DSLContext dsl) {
        return dsl.fetch("select id, paid from shop.accounts where paid <> 0")
                .intoMap(row -> row.get(0, Long.class), row -> row.get(1, BigDecimal.class));
    }
}
