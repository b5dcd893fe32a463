package io.holdfast.saga.jdbc.protocol;

import io.holdfast.saga.SagaType;

/** What the sagas of these tests work on: an order of table {@code orders}. */
record Order(long id) {
    /** The type of all of them; what steps it has is each test's own affair. */
    static final SagaType<Order> TYPE = SagaType.of("order", 1, Order.class);
}
