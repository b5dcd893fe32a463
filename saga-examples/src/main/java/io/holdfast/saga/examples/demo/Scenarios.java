package io.holdfast.saga.examples.demo;

import static io.holdfast.saga.examples.demo.PausePoint.AFTER_AUTHORIZE;
import static io.holdfast.saga.examples.demo.PausePoint.BEFORE_CAPTURE;

import io.holdfast.saga.JournalEntry;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.examples.payment.Books.Kind;
import io.holdfast.saga.examples.shop.OrderSaga;
import java.time.Duration;
import java.util.List;

/** The five scenes. Each ends with a timeline from the saga tables and the shop's invariants. */
final class Scenarios {
    private final World world;
    private final Console console;

    Scenarios(World world, Console console) {
        this.world = world;
        this.console = console;
    }

    /** A scene may fail in any way. */
    interface Scene {
        void play() throws Exception;
    }

    /**
     * A scene and what it is about.
     *
     * @param title for the audience
     * @param scene what happens
     */
    record Scenario(String title, Scene scene) {}

    List<Scenario> all() {
        return List.of(
                new Scenario("(a) An order completes", this::completes),
                new Scenario("(b) The card is declined: everything is undone", this::declined),
                new Scenario("(c) Two sagas want one order: the second is refused at once", this::collides),
                new Scenario("(d) A node is killed between authorize and capture", this::killed),
                new Scenario("(e) A node freezes, is taken over, and wakes up", this::frozen));
    }

    private void completes() {
        var saga = world.place(world.newOrder(2, "9.90"));
        var outcome = world.show(saga, SagaState.COMPLETED);
        console.good("paid: " + outcome.result(OrderSaga.RECEIPT).id());
    }

    private void declined() {
        var order = world.newOrder(3, "14.85");
        world.provider().faults().decline(Kind.AUTHORIZE, order.account());
        var outcome = world.show(world.place(order), SagaState.COMPENSATED);
        console.good(
                "refused: " + outcome.failure().flatMap(JournalEntry::error).orElseThrow());
    }

    private void collides() throws InterruptedException {
        var order = world.newOrder(1, "4.95");
        world.provider().faults().answerSlowly(Kind.AUTHORIZE, order.account(), Duration.ofMillis(1500));
        var first = world.place(order);
        while (!first.snapshot().orElseThrow().step().equals("authorize")) {
            Thread.sleep(20);
        }
        console.step("the first saga, " + first.sagaId() + ", waits for the provider; a second one starts");
        var second = world.sagas().start(OrderSaga.PLACE_ORDER, order.businessKey("again"), order);
        var refusal = world.show(second, SagaState.COMPENSATED)
                .failure()
                .flatMap(JournalEntry::error)
                .orElseThrow();
        expect(refusal.contains(first.sagaId().toString()), "the refusal does not name the holder: " + refusal);
        expect(first.await(Duration.ZERO).isEmpty(), "the second saga was not refused while the first still ran");
        console.good("refused: " + refusal);
        console.step("and the first one goes on");
        world.show(first, SagaState.COMPLETED);
    }

    private void killed() throws Exception {
        var order = world.newOrder(4, "19.80");
        try (var child = world.child("node-b", order, BEFORE_CAPTURE)) {
            child.awaitLine(PausingGateway.PAUSED + BEFORE_CAPTURE);
            console.step("SIGKILL to process " + child.pid() + "; the reaper waits for the end of its lease");
            child.kill();
            world.show(world.handle(order), SagaState.COMPLETED);
        }
    }

    private void frozen() throws Exception {
        var order = world.newOrder(5, "24.75");
        try (var child = world.child("node-c", order, AFTER_AUTHORIZE)) {
            child.awaitLine(PausingGateway.PAUSED + AFTER_AUTHORIZE);
            console.step("SIGSTOP to process " + child.pid() + "; its lease runs out");
            child.freeze();
            world.handle(order).await(Duration.ofSeconds(20));
            console.step("the parent has finished the order; SIGCONT to process " + child.pid());
            child.goOn();
            child.thaw();
            console.good("refused: " + child.awaitLine("Lost the lease"));
            child.awaitEnd();
        }
        world.show(world.handle(order), SagaState.COMPLETED);
        expect(world.journal(order).contains(JournalEntry.Kind.LATE), "the late outcome is not in the journal");
    }

    private static void expect(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
