package io.holdfast.saga.examples.shop;

import java.math.BigDecimal;

/**
 * What the order saga works on.
 *
 * @param orderId which order
 * @param sku what is bought
 * @param quantity how many
 * @param account who pays
 * @param total how much
 */
public record PlaceOrder(long orderId, String sku, int quantity, long account, BigDecimal total) {
    private static final String PREFIX = "order-";

    /** {@return the business key under which an order is placed once} */
    public String businessKey() {
        return PREFIX + orderId;
    }

    /**
     * A key for another saga about the same order.
     *
     * @param suffix what tells it apart
     * @return the key
     */
    public String businessKey(String suffix) {
        return businessKey() + "/" + suffix;
    }

    /** Which order a business key is about. */
    static long orderOf(String businessKey) {
        return Long.parseLong(businessKey.substring(PREFIX.length()).split("/", 2)[0]);
    }
}
