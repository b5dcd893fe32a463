package io.holdfast.saga.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.saga.SagaSnapshot;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.examples.payment.Books;
import io.holdfast.saga.examples.payment.Books.Call;
import io.holdfast.saga.examples.payment.Books.Entry;
import io.holdfast.saga.examples.payment.Books.Kind;
import io.holdfast.saga.examples.payment.Books.State;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The checks that the demo and the crash test rely on do see what they are there to see. */
@PostgresTest
class ShopInvariantsTest {
    private static final PlaceOrder ORDER = new PlaceOrder(1, "apple", 2, 7, new BigDecimal("9.90"));
    private static final SagaSnapshot COMPLETED = saga("order-1", SagaState.COMPLETED);
    private static final SagaSnapshot COMPENSATED = saga("order-1", SagaState.COMPENSATED);
    private static final Books CHARGED = books(State.CAPTURED);

    private final DSLContext dsl;

    ShopInvariantsTest(TestDatabase database) {
        this.dsl = DSL.using(database.dataSource(), SQLDialect.POSTGRES);
        ShopSchema.create(database.dataSource());
    }

    @BeforeEach
    void open() {
        Stock.receive(dsl, "apple", 5);
        Accounts.open(dsl, 7);
        Orders.add(dsl, ORDER);
    }

    @Test
    void an_order_that_was_paid_is_right() {
        pay();
        assertThat(ShopInvariants.verify(dsl, List.of(COMPLETED), CHARGED)).startsWith("1 of 1 orders confirmed, 9.90");
    }

    @Test
    void an_order_that_was_undone_is_right() {
        ShopInvariants.verify(dsl, List.of(COMPENSATED), books(State.VOIDED));
    }

    @Test
    void money_taken_for_an_order_that_was_undone_is_seen() {
        refused(COMPENSATED, CHARGED, "order-1 costs 0, but 9.90 was captured");
    }

    @Test
    void money_that_stays_set_aside_is_seen() {
        refused(COMPENSATED, books(State.OPEN), "auth-1 for order-1 is still open");
    }

    @Test
    void goods_that_were_not_given_back_are_seen() {
        Stock.take(dsl, "apple", 2);
        refused(COMPENSATED, books(State.VOIDED), "2 of apple are gone, but 0 are sold");
    }

    @Test
    void goods_given_back_twice_are_seen() {
        pay();
        Stock.giveBack(dsl, "apple", 2);
        refused(COMPLETED, CHARGED, "0 of apple are gone, but 2 are sold");
    }

    @Test
    void a_payment_booked_twice_is_seen() {
        pay();
        Accounts.book(dsl, 7, ORDER.total());
        refused(COMPLETED, CHARGED, "accounts have paid {7=19.80}");
    }

    @Test
    void a_row_still_held_after_its_saga_ended_is_seen() {
        dsl.execute("update shop.orders set status = 'PENDING', saga_id = gen_random_uuid()");
        refused(COMPENSATED, books(State.VOIDED), "order-1 is still held by");
    }

    @Test
    void an_order_confirmed_by_nobody_is_seen() {
        pay();
        refused(COMPENSATED, CHARGED, "order-1 is CONFIRMED, completed by 0 sagas");
    }

    @Test
    void a_second_key_for_one_thing_is_seen() {
        pay();
        var twice = new Books(CHARGED.entries(), List.of(capture("c1"), capture("c2")));
        refused(COMPLETED, twice, "CAPTURE for order-1 was asked under 2 keys: [c1, c2]");
    }

    @Test
    void a_saga_that_has_not_ended_is_seen() {
        refused(saga("order-1", SagaState.STUCK), books(State.VOIDED), "order-1 is STUCK");
    }

    private void pay() {
        Stock.take(dsl, "apple", 2);
        Accounts.book(dsl, 7, ORDER.total());
        dsl.execute("update shop.orders set status = 'CONFIRMED'");
    }

    private void refused(SagaSnapshot saga, Books books, String finding) {
        assertThatThrownBy(() -> ShopInvariants.verify(dsl, List.of(saga), books))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(finding);
    }

    private static Books books(State state) {
        return new Books(List.of(new Entry("auth-1", 7, ORDER.total(), "order-1", state)), List.of(capture("c")));
    }

    private static Call capture(String key) {
        return new Call(key, Kind.CAPTURE, "order-1", 1, 200);
    }

    private static SagaSnapshot saga(String businessKey, SagaState state) {
        return (SagaSnapshot) Proxy.newProxyInstance(
                SagaSnapshot.class.getClassLoader(),
                new Class<?>[] {SagaSnapshot.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "businessKey" -> businessKey;
                    case "state" -> state;
                    default -> "somewhere";
                });
    }
}
