package io.holdfast.saga.examples.shop;

import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** The table shop.orders. */
public final class Orders {
    private static final String COLUMNS = "select id, sku, quantity, account, total, status, saga_id from shop.orders ";

    private Orders() {}

    /**
     * An order as it stands.
     *
     * @param data what was ordered
     * @param status NEW, PENDING or CONFIRMED
     * @param sagaId the saga that holds it, or null
     */
    public record Row(
            PlaceOrder data, String status, @Nullable UUID sagaId) {
        boolean isConfirmed() {
            return status.equals(OrderSaga.CONFIRMED);
        }
    }

    /**
     * A customer has filled a basket.
     *
     * @param dsl where to write
     * @param order what is in it
     */
    public static void add(DSLContext dsl, PlaceOrder order) {
        dsl.execute(
                "insert into shop.orders (id, sku, quantity, account, total) values (?, ?, ?, ?, ?)",
                order.orderId(),
                order.sku(),
                order.quantity(),
                order.account(),
                order.total());
    }

    /**
     * One order.
     *
     * @param dsl where to read
     * @param id its number
     * @return what was ordered
     */
    public static PlaceOrder get(DSLContext dsl, long id) {
        return row(dsl.fetchSingle(COLUMNS + "where id = ?", id)).data();
    }

    /**
     * All orders.
     *
     * @param dsl where to read
     * @return by number
     */
    public static List<Row> all(DSLContext dsl) {
        return dsl.fetch(COLUMNS + "order by id").map(Orders::row);
    }

    private static Row row(Record row) {
        var order = new PlaceOrder(
                row.get("id", Long.class),
                row.get("sku", String.class),
                row.get("quantity", Integer.class),
                row.get("account", Long.class),
                row.get("total", BigDecimal.class));
        return new Row(order, row.get("status", String.class), row.get("saga_id", UUID.class));
    }
}
