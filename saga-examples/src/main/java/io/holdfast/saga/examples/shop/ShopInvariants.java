package io.holdfast.saga.examples.shop;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.reducing;
import static java.util.stream.Collectors.summingInt;

import io.holdfast.saga.SagaSnapshot;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.examples.payment.Books;
import io.holdfast.saga.examples.payment.Books.Call;
import io.holdfast.saga.examples.payment.Books.Entry;
import io.holdfast.saga.examples.payment.Books.State;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jooq.DSLContext;

/**
 * What must be true of a shop whose sagas have all ended: each order is placed whole or not at all. Compares the shop's tables,
 * the saga tables and the provider's books, and finds everything that is wrong, not only the first thing. One use each.
 */
public final class ShopInvariants {
    private final List<String> violations = new ArrayList<>();
    private final List<Orders.Row> orders;
    private final Map<String, Integer> goodsTaken;
    private final Map<Long, BigDecimal> booked;
    private final Collection<SagaSnapshot> sagas;
    private final Books books;

    private ShopInvariants(DSLContext dsl, Collection<SagaSnapshot> sagas, Books books) {
        this.orders = Orders.all(dsl);
        this.goodsTaken = Stock.taken(dsl);
        this.booked = Accounts.paid(dsl);
        this.sagas = sagas;
        this.books = books;
    }

    /**
     * Checks everything.
     *
     * @param dsl where the shop's tables are
     * @param sagas every saga of the shop
     * @param books the provider's
     * @return what was found to be right, in a few words
     * @throws IllegalStateException when something is wrong; the message lists all of it
     */
    public static String verify(DSLContext dsl, Collection<SagaSnapshot> sagas, Books books) {
        var check = new ShopInvariants(dsl, sagas, books);
        check.everySagaHasEnded();
        check.ordersAreWhatTheirSagasSay();
        check.goodsAreConserved();
        check.moneyIsConserved();
        check.noEffectHappenedTwice();
        return check.verdict();
    }

    private String verdict() {
        if (!violations.isEmpty()) {
            throw new IllegalStateException("the shop's books are wrong:\n  " + String.join("\n  ", violations));
        }
        var confirmed = orders.stream().filter(Orders.Row::isConfirmed).count();
        return "%d of %d orders confirmed, %s captured, %s set aside, %d items taken"
                .formatted(
                        confirmed,
                        orders.size(),
                        books.total(State.CAPTURED),
                        books.total(State.OPEN),
                        goodsTaken.values().stream().mapToInt(Integer::intValue).sum());
    }

    private void everySagaHasEnded() {
        for (var saga : sagas) {
            expect(
                    saga.state() == SagaState.COMPLETED || saga.state() == SagaState.COMPENSATED,
                    saga.businessKey() + " is " + saga.state() + " at " + saga.step());
        }
    }

    /** Confirmed by exactly one saga, or as if it had never been touched. */
    private void ordersAreWhatTheirSagasSay() {
        var completed = new TreeMap<Long, Integer>();
        sagas.stream()
                .filter(saga -> saga.state() == SagaState.COMPLETED)
                .forEach(saga -> completed.merge(PlaceOrder.orderOf(saga.businessKey()), 1, Integer::sum));
        for (var order : orders) {
            int times = completed.getOrDefault(order.data().orderId(), 0);
            expect(times <= 1, order.data().businessKey() + " was completed by " + times + " sagas");
            expect(
                    order.status().equals(times == 0 ? "NEW" : OrderSaga.CONFIRMED),
                    order.data().businessKey() + " is " + order.status() + ", completed by " + times + " sagas");
            expect(order.sagaId() == null, order.data().businessKey() + " is still held by " + order.sagaId());
        }
    }

    private void goodsAreConserved() {
        var sold = orders.stream()
                .filter(Orders.Row::isConfirmed)
                .collect(groupingBy(
                        order -> order.data().sku(),
                        summingInt(order -> order.data().quantity())));
        goodsTaken.forEach((sku, taken) -> expect(
                taken.equals(sold.getOrDefault(sku, 0)),
                taken + " of " + sku + " are gone, but " + sold.getOrDefault(sku, 0) + " are sold"));
    }

    /** The provider, the orders and the accounts tell the same story, and no money stays set aside. */
    private void moneyIsConserved() {
        for (var entry : books.entries()) {
            expect(entry.state() != State.OPEN, entry.id() + " for " + entry.reference() + " is still open");
        }
        for (var order : orders) {
            var captured = capturedFor(order.data().orderId());
            var due = order.isConfirmed() ? order.data().total() : BigDecimal.ZERO;
            expect(
                    captured.compareTo(due) == 0,
                    order.data().businessKey() + " costs " + due + ", but " + captured + " was captured");
        }
        var sold = orders.stream()
                .filter(Orders.Row::isConfirmed)
                .map(Orders.Row::data)
                .collect(
                        groupingBy(PlaceOrder::account, reducing(BigDecimal.ZERO, PlaceOrder::total, BigDecimal::add)));
        expect(booked.equals(sold), "accounts have paid " + booked + ", but " + sold + " is sold");
    }

    private BigDecimal capturedFor(long orderId) {
        return books.entries().stream()
                .filter(entry -> entry.state() == State.CAPTURED)
                .filter(entry -> PlaceOrder.orderOf(entry.reference()) == orderId)
                .map(Entry::amount)
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    /** However often a saga called: with one key for each thing it wanted. */
    private void noEffectHappenedTwice() {
        books.calls().stream()
                .filter(call -> !call.subject().isEmpty())
                .collect(groupingBy(call -> call.kind() + " for " + call.subject()))
                .forEach((what, calls) -> expect(
                        calls.size() == 1,
                        what + " was asked under " + calls.size() + " keys: "
                                + calls.stream().map(Call::key).toList()));
    }

    private void expect(boolean holds, String otherwise) {
        if (!holds) {
            violations.add(otherwise);
        }
    }
}
