package io.holdfast.saga.jdbc.protocol;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.ExternalStep;
import io.holdfast.saga.StepAction;
import io.holdfast.saga.StepContext;
import io.holdfast.saga.StepRejectedException;
import io.holdfast.saga.jdbc.JdbcSteps;
import io.holdfast.saga.jdbc.LocalContext;
import io.holdfast.saga.jdbc.LocalStep;
import io.holdfast.saga.jdbc.testing.Effect;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes steps that do something real and can be told what happens on the way. An external step calls the {@link Participant}; a
 * local one, whose name begins with {@code take}, takes one of stock {@code a}. Each first appends to the effects, then passes the
 * gate of its name, and having done its work the gate of its name and {@code -done}; undos have {@code undo-} before both. The
 * same gates are there for one worker alone, with his name and a colon before.
 */
final class Acts {
    /** What a gate is called behind the work. */
    static final String DONE = "-done";

    /** What gates and scripts of an undo begin with. */
    static final String UNDO = "undo-";

    private final World world;
    private final String worker;
    private final JdbcSteps<Order> steps = JdbcSteps.of(Order.class);
    private final Map<String, StepAction<StepContext<Order>>> scripts = new ConcurrentHashMap<>();

    Acts(World world, String worker) {
        this.world = world;
        this.worker = worker;
    }

    JdbcSteps<Order> steps() {
        return steps;
    }

    /** What also happens at a place: a step's name, with {@link #UNDO} before it or {@link #DONE} behind it. */
    void at(String place, StepAction<StepContext<Order>> script) {
        scripts.put(place, script);
    }

    /** The participant of an external step says no: not done under this key, and never to be. */
    void rejectAt(String place) {
        at(place, ctx -> {
            world.participant().undo(ctx.idempotencyKey(), ctx.sagaId(), place);
            throw new StepRejectedException("rejected at " + place);
        });
    }

    /** The same, that fails so many times first. */
    void failAt(String place, int times) {
        AtomicInteger left = new AtomicInteger(times);
        at(place, ctx -> {
            if (left.getAndDecrement() > 0) {
                throw new Planned(place);
            }
        });
    }

    /** A failure that a test asked for. */
    static final class Planned extends Exception {
        private static final long serialVersionUID = 1;

        Planned(String place) {
            super("planned at " + place);
        }
    }

    ExternalStep<Order, Void> external(String name) {
        return steps.external(name, ctx -> call(name, ctx));
    }

    /** Undone by key. */
    CompensatableStep<Order> undoable(String name) {
        return undoable(external(name));
    }

    <R> CompensatableStep<Order> undoable(ExternalStep<Order, R> step) {
        return step.compensatedBy((StepContext<Order> ctx, Optional<R> known) -> undo(step.name(), ctx));
    }

    void call(String name, StepContext<Order> ctx) throws Exception {
        begin(name, Effect.action(ctx.sagaId(), name), ctx);
        world.participant().call(ctx.idempotencyKey(), ctx.sagaId(), name);
        end(name, ctx);
    }

    void undo(String name, StepContext<Order> ctx) throws Exception {
        begin(UNDO + name, Effect.compensation(ctx.sagaId(), name), ctx);
        world.participant().undo(ctx.actionKey(), ctx.sagaId(), name);
        end(UNDO + name, ctx);
    }

    LocalStep<Order, Void> local(String name) {
        if (!name.startsWith("take")) {
            throw new IllegalArgumentException("the standing checks count local steps by their names");
        }
        return steps.local(name, ctx -> take(name, ctx));
    }

    CompensatableStep<Order> undoableLocal(String name) {
        return undoable(local(name));
    }

    CompensatableStep<Order> undoable(LocalStep<Order, Void> step) {
        return step.compensatedBy((LocalContext<Order> ctx, Void nothing) -> giveBack(step.name(), ctx));
    }

    private void take(String name, LocalContext<Order> ctx) throws Exception {
        begin(name, Effect.action(ctx.sagaId(), name), ctx);
        ctx.dsl().execute("UPDATE stock SET qty = qty - 1 WHERE sku = 'a'");
        end(name, ctx);
    }

    private void giveBack(String name, LocalContext<Order> ctx) throws Exception {
        begin(UNDO + name, Effect.compensation(ctx.sagaId(), name), ctx);
        ctx.dsl().execute("UPDATE stock SET qty = qty + 1 WHERE sku = 'a'");
        end(UNDO + name, ctx);
    }

    private void begin(String place, Effect effect, StepContext<Order> ctx) throws Exception {
        world.effects().append(effect.by(worker, 0).withKey(ctx.idempotencyKey()));
        pass(place);
        script(place, ctx);
    }

    private void end(String place, StepContext<Order> ctx) throws Exception {
        script(place + DONE, ctx);
        pass(place + DONE);
    }

    /** The gate of this name, and the one for this worker alone. */
    void pass(String place) throws InterruptedException {
        world.gates().pass(place);
        world.gates().pass(worker + ":" + place);
    }

    private void script(String place, StepContext<Order> ctx) throws Exception {
        StepAction<StepContext<Order>> script = scripts.get(place);
        if (script != null) {
            script.run(ctx);
        }
    }
}
