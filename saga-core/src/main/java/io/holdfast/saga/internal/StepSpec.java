package io.holdfast.saga.internal;

import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.StepContext;
import io.holdfast.saga.spi.Isolation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Everything the engine knows of one step; what the public step types wrap. Immutable.
 *
 * @param signature what is persisted of it
 * @param action what it does
 * @param undoing how that is undone
 * @param policies how patiently
 * @param extras condition, rows, and what stands in without a database
 */
public record StepSpec<D>(
        Signature signature, StepBody<D> action, Undoing<D> undoing, Policies policies, Extras<D> extras) {

    /** Where a step's action runs. */
    public enum Kind {
        /** With no transaction open. */
        EXTERNAL,
        /** In the transaction that moves the saga on. */
        LOCAL
    }

    /** What is persisted of a step: its name, kind and the class of its result, null for none. */
    public record Signature(
            String name, Kind kind, @Nullable Class<?> resultClass) {}

    /** How a step's doubt is settled and its effect undone. */
    public sealed interface Undoing<D> {}

    /** Not to be undone: fits as the pivot and after it only. */
    public record Irreversible<D>() implements Undoing<D> {}

    /** Nothing to undo, and why. */
    public record Nothing<D>(String why) implements Undoing<D> {}

    /** Undone by key, in doubt or not; local steps are never in doubt. */
    public record ByKey<D>(UndoBody<D> body) implements Undoing<D> {}

    /** Asked again until its outcome is known, and only then undone. */
    public record SettledFirst<D>(UndoBody<D> body) implements Undoing<D> {}

    /** How patiently. */
    public record Policies(
            RetryPolicy retry,
            RetryPolicy undoRetry,
            Duration timeout,
            List<Class<? extends Exception>> rejectedOn,
            Isolation isolation) {
        static final Policies DEFAULT = new Policies(
                RetryPolicy.DEFAULT, RetryPolicy.PATIENT, Duration.ofSeconds(30), List.of(), Isolation.READ_COMMITTED);
    }

    /** What a step does with a resource. */
    public enum Role {
        /** Takes its rows; the step's result is the receipt. */
        CLAIM,
        /** Gives them back for good. */
        RELEASE,
        /** Reads or writes its rows, and keeps nothing. */
        TOUCH
    }

    /** A resource and what the step does with it. */
    public record Use(Resource resource, Role role) {
        /** What is held, of a claim or release. */
        Hold hold() {
            return (Hold) resource;
        }
    }

    /** Condition, rows, how its result is read again at the pivot, and what stands in for the action without a database. */
    public record Extras<D>(
            @Nullable Predicate<? super StepContext<D>> condition,
            @Nullable Use use,
            @Nullable Reread<D> reread,
            @Nullable StepBody<D> offline) {
        /** Whether it takes rows or gives them back. */
        boolean isHolding() {
            return use != null && use.role() != Role.TOUCH;
        }
    }

    /** An external step as it comes from its factory. */
    public static <D> StepSpec<D> external(String name, @Nullable Class<?> resultClass, StepBody<D> action) {
        return of(new Signature(name, Kind.EXTERNAL, resultClass), action);
    }

    /** A local step as it comes from its factory. */
    public static <D> StepSpec<D> local(String name, @Nullable Class<?> resultClass, StepBody<D> action) {
        return of(new Signature(name, Kind.LOCAL, resultClass), action);
    }

    private static <D> StepSpec<D> of(Signature signature, StepBody<D> action) {
        return new StepSpec<>(
                signature, action, new Irreversible<>(), Policies.DEFAULT, new Extras<>(null, null, null, null));
    }

    /** The step's name. */
    public String name() {
        return signature.name();
    }

    /** Whether its action runs with no transaction open. */
    public boolean isExternal() {
        return signature.kind() == Kind.EXTERNAL;
    }

    /** With another way of undoing. */
    public StepSpec<D> undoing(Undoing<D> other) {
        return new StepSpec<>(signature, action, other, policies, extras);
    }

    /** With another retry policy of the action. */
    public StepSpec<D> retry(RetryPolicy policy) {
        Checks.notNull("retry policy", policy);
        return policies(
                new Policies(policy, policies.undoRetry, policies.timeout, policies.rejectedOn, policies.isolation));
    }

    /** With another retry policy of the compensation. */
    public StepSpec<D> undoRetry(RetryPolicy policy) {
        Checks.notNull("compensation retry policy", policy);
        return policies(
                new Policies(policies.retry, policy, policies.timeout, policies.rejectedOn, policies.isolation));
    }

    /** With another timeout per attempt. */
    public StepSpec<D> timeout(Duration perAttempt) {
        Checks.duration("step timeout", perAttempt, Duration.ofMillis(1), Duration.ofDays(1));
        return policies(
                new Policies(policies.retry, policies.undoRetry, perAttempt, policies.rejectedOn, policies.isolation));
    }

    /** With one more exception that means: surely not done. */
    public StepSpec<D> rejectedOn(Class<? extends Exception> type) {
        List<Class<? extends Exception>> types = new ArrayList<>(policies.rejectedOn);
        types.add(Checks.notNull("rejected exception", type));
        return policies(new Policies(
                policies.retry, policies.undoRetry, policies.timeout, List.copyOf(types), policies.isolation));
    }

    private StepSpec<D> policies(Policies other) {
        return new StepSpec<>(signature, action, undoing, other, extras);
    }

    /** With a condition. */
    public StepSpec<D> when(Predicate<? super StepContext<D>> condition) {
        return extras(new Extras<>(Checks.notNull("condition", condition), extras.use, extras.reread, extras.offline));
    }

    /** With a resource that it takes or gives back. */
    public StepSpec<D> uses(Use use) {
        return extras(new Extras<>(extras.condition, use, extras.reread, extras.offline));
    }

    /** With what stands in for the action where there is no database. */
    public StepSpec<D> offline(StepBody<D> body) {
        return extras(new Extras<>(extras.condition, extras.use, extras.reread, body));
    }

    /** With a way to read its result again. */
    public StepSpec<D> rereading(Reread<D> reread) {
        return extras(new Extras<>(extras.condition, extras.use, reread, extras.offline));
    }

    /** With another isolation of its transaction. */
    public StepSpec<D> isolation(Isolation isolation) {
        return policies(
                new Policies(policies.retry, policies.undoRetry, policies.timeout, policies.rejectedOn, isolation));
    }

    private StepSpec<D> extras(Extras<D> other) {
        return new StepSpec<>(signature, action, undoing, policies, other);
    }

    /** For a saga whose data contains this step's. */
    public <P> StepSpec<P> dataFrom(Function<? super P, ? extends D> part) {
        Checks.notNull("part", part);
        Predicate<? super StepContext<D>> condition = extras.condition;
        StepBody<D> offline = extras.offline;
        Reread<D> reread = extras.reread;
        return new StepSpec<>(
                signature,
                (ctx, tx) -> action.run(ctx.map(part), tx),
                undoingFrom(part),
                policies,
                new Extras<>(
                        condition == null ? null : ctx -> condition.test(((EngineContext<P>) ctx).map(part)),
                        extras.use,
                        reread == null
                                ? null
                                : (ctx, tx, remembered) -> reread.differences(ctx.map(part), tx, remembered),
                        offline == null ? null : (ctx, tx) -> offline.run(ctx.map(part), tx)));
    }

    private <P> Undoing<P> undoingFrom(Function<? super P, ? extends D> part) {
        if (undoing instanceof ByKey<D> byKey) {
            return new ByKey<>((ctx, tx, known) -> byKey.body.undo(ctx.map(part), tx, known));
        }
        if (undoing instanceof SettledFirst<D> settled) {
            return new SettledFirst<>((ctx, tx, known) -> settled.body.undo(ctx.map(part), tx, known));
        }
        return undoing instanceof Nothing<D> nothing ? new Nothing<>(nothing.why) : new Irreversible<>();
    }
}
