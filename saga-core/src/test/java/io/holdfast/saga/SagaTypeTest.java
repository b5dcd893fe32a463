package io.holdfast.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SagaTypeTest {
    record Order(String id, String comment) {}

    private static final SagaType<Order> TYPE = SagaType.of("order", 3, Order.class);

    @Test
    void a_type_is_its_name_and_version() {
        assertThat(TYPE)
                .isEqualTo(SagaType.of("order", 3, Order.class))
                .hasSameHashCodeAs(SagaType.of("order", 3, Order.class))
                .isEqualTo(TYPE.identity(Order::id))
                .isNotEqualTo(SagaType.of("order", 4, Order.class))
                .isNotEqualTo(SagaType.of("orders", 3, Order.class))
                .hasToString("order v3");
    }

    @Test
    void what_is_compared_is_the_data_unless_told_otherwise() {
        Order order = new Order("1", "please ring twice");

        assertThat(TYPE.identityOf(order)).isSameAs(order);
        assertThat(TYPE.identity(Order::id).identityOf(order)).isEqualTo("1");
        assertThat(TYPE.identityOf(order)).as("the original is unchanged").isSameAs(order);
    }

    @Test
    @SuppressWarnings("NullAway") // null is what is tried
    void an_identity_of_null_is_refused_by_name() {
        assertThatThrownBy(() -> TYPE.identity(order -> null).identityOf(new Order("1", "")))
                .hasMessageContaining("identity of order v3");
    }
}
