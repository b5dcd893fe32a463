package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.StepAction;
import io.holdfast.saga.StepContext;
import io.holdfast.saga.jdbc.LocalContext;
import io.holdfast.saga.spi.StoredEntry;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * B20, §3 and §4: a thread cannot be killed. One that outlives its timeout is interrupted and ignored, its transaction aborted, and
 * giving it up raises run_seq before the next attempt begins.
 */
@ProtocolTest
class AStepThatTakesTooLongIsGivenUpTest {
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    /** (a) It ignores the interrupt and writes later: that write is no part of anything. */
    @Test
    void a_local_step_that_ignores_interrupts(World world) {
        world.gates().holdStubbornly("first");
        onFirst(world, "take", ctx -> world.gates().pass("first"));
        TestNode a = world.node("a").knowing(local(world));
        UUID saga = a.start("stubborn").sagaId();

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPLETED);
        assertGivenUp(world, saga);
        world.gates().open("first");
        world.waitUntil("the old thread has ended", () -> !isAlive());
        assertThat(world.stock()).isEqualTo(9);
    }

    /** The same having written already: without the abort the next attempt would wait for its rows. */
    @Test
    void a_local_step_that_holds_rows_and_ignores_interrupts(World world) {
        world.gates().holdStubbornly("first");
        onFirst(world, "take" + Acts.DONE, ctx -> world.gates().pass("first"));
        TestNode a = world.node("a").knowing(local(world));
        UUID saga = a.start("holds rows").sagaId();

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPLETED);
        assertGivenUp(world, saga);
    }

    /** (b) It waits for the database: the statement is ended there too. */
    @Test
    void a_local_step_that_waits_for_the_database(World world) {
        onFirst(world, "take", ctx -> ((LocalContext<Order>) ctx).dsl().execute("SELECT pg_sleep(50)"));
        TestNode a = world.node("a").knowing(local(world));
        UUID saga = a.start("sleeps").sagaId();

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPLETED);
        assertGivenUp(world, saga);
        world.waitUntil(
                "the statement has ended",
                () -> world.value(
                                Long.class,
                                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                        + " AND state = 'active' AND query LIKE '%pg_sleep(50)%'"
                                        + " AND pid <> pg_backend_pid()")
                        == 0);
    }

    /** (c) It takes the interrupt for a reason to return: that is no success. */
    @Test
    void a_local_step_that_returns_when_interrupted(World world) {
        onFirst(world, "take", AStepThatTakesTooLongIsGivenUpTest::returnWhenInterrupted);
        TestNode a = world.node("a").knowing(local(world));
        UUID saga = a.start("returns").sagaId();

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPLETED);
        assertGivenUp(world, saga);
    }

    /**
     * Its commit is through when it is given up, only its thread has not heard of it. Without the step in the guard the failure would be
     * recorded all the same, and the step would run again.
     */
    @Test
    void a_local_step_that_is_committed_already_is_not_given_up(World world) {
        Acts acts = world.acts();
        TestNode a = world.node("a")
                .knowing(SagaDefinition.builder(Order.TYPE)
                        .step(acts.undoable(acts.local("take-1").timeout(TIMEOUT)))
                        .step(acts.undoableLocal("take-2"))
                        .build());
        world.gates().holdStubbornly("answered");
        AtomicBoolean first = new AtomicBoolean(true);
        a.hooks().after("moveWith", () -> {
            if (first.getAndSet(false)) {
                pass(world, "answered");
            }
        });
        UUID saga = a.start("committed").sagaId();

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPLETED);
        world.effects().assertRan(saga, "take-1 action", "take-2 action");
        assertThat(world.count(saga, Kind.STEP_FAILED)).isZero();
        world.gates().open("answered");
    }

    private static void pass(World world, String gate) {
        try {
            world.gates().pass(gate);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** (a) for calls: what the old thread comes to is told as LATE. */
    @Test
    void a_call_that_ignores_interrupts(World world) {
        world.gates().holdStubbornly("first");
        onFirst(world, "call" + Acts.DONE, ctx -> world.gates().pass("first"));
        TestNode a = world.node("a").knowing(external(world, 2));
        UUID saga = a.start("stubborn call").sagaId();

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPLETED);
        assertGivenUp(world, saga);
        world.gates().open("first");
        world.waitUntil("it is told", () -> world.count(saga, Kind.LATE) == 1);
        assertThat(world.entry(saga, Kind.LATE).runSeq()).isEqualTo(1);
        assertThat(world.saga(saga).state()).isEqualTo(SagaState.COMPLETED);
    }

    /** (c) for calls, with no attempt left: in doubt, so it is undone; what comes after the undo raises a flag. */
    @Test
    void a_call_that_comes_to_an_end_after_its_undo(World world) {
        world.gates().holdStubbornly("first");
        onFirst(world, "call" + Acts.DONE, ctx -> world.gates().pass("first"));
        TestNode a = world.node("a").knowing(external(world, 1));
        UUID saga = a.start("undone").sagaId();

        assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPENSATED);
        world.effects().assertRan(saga, "call action", "call compensation");
        world.gates().open("first");
        world.waitUntil("it is told", () -> world.count(saga, Kind.LATE) == 1);
        assertThat(world.entry(saga, Kind.LATE).note())
                .hasValueSatisfying(note -> assertThat(note).contains("after its undo"));
        assertThat(world.saga(saga).state()).isEqualTo(SagaState.COMPENSATED);
    }

    /** Neither threads nor connections are lost on the way; the pool's are counted by the standing checks. */
    @Test
    void a_hundred_timeouts_leak_nothing(World world) {
        Acts acts = world.acts();
        acts.at("call", AStepThatTakesTooLongIsGivenUpTest::returnWhenInterrupted);
        acts.at("take", AStepThatTakesTooLongIsGivenUpTest::returnWhenInterrupted);
        RetryPolicy tenTimes = RetryPolicy.fixed(Duration.ofMillis(1)).maxAttempts(10);
        Duration soon = Duration.ofMillis(100);
        TestNode a = world.node("a")
                .knowing(SagaDefinition.builder(Order.TYPE)
                        .step(acts.undoable(
                                        acts.external("call").retry(tenTimes).timeout(soon))
                                .when(ctx -> ctx.data().id() % 2 == 0))
                        .step(acts.undoable(acts.local("take").retry(tenTimes).timeout(soon)))
                        .build());
        for (int order = 1; order <= 10; order++) {
            a.start("leak-" + order, order);
        }
        for (int order = 1; order <= 10; order++) {
            UUID saga = a.engine().handle(Order.TYPE, "leak-" + order).sagaId();
            assertThat(a.end(saga).state()).isEqualTo(SagaState.COMPENSATED);
            assertThat(world.count(saga, Kind.STEP_FAILED)).isEqualTo(10);
        }
        world.waitUntil("nothing is driven", () -> a.engine().active() == 0);
        world.waitUntil("no thread is busy", () -> sagaThreads().noneMatch(AStepThatTakesTooLongIsGivenUpTest::isBusy));
        assertThat(sagaThreads().count()).isLessThan(30);
    }

    private static void returnWhenInterrupted(StepContext<Order> ctx) {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException end) {
            // as if it were done
        }
    }

    /** One failure, recorded when the timeout was over and not when the thread ended, and another number from there on. */
    private static void assertGivenUp(World world, UUID saga) {
        StoredEntry failed = world.entry(saga, Kind.STEP_FAILED);
        assertThat(failed.error()).hasValueSatisfying(error -> assertThat(error).contains("SAGA-302"));
        assertThat(Duration.between(world.entry(saga, Kind.STARTED).at(), failed.at()))
                .isBetween(TIMEOUT.minusMillis(50), TIMEOUT.plusSeconds(10));
        StoredEntry done = world.entry(saga, Kind.STEP_DONE);
        assertThat(done.attempt()).isEqualTo(2);
        assertThat(done.runSeq()).isGreaterThan(failed.runSeq());
    }

    private static void onFirst(World world, String place, StepAction<StepContext<Order>> script) {
        world.acts().at(place, ctx -> {
            if (ctx.attempt() == 1) {
                script.run(ctx);
            }
        });
    }

    private static boolean isAlive() {
        return sagaThreads().anyMatch(AStepThatTakesTooLongIsGivenUpTest::isBusy);
    }

    private static Stream<Thread> sagaThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("holdfast-saga"));
    }

    private static boolean isBusy(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().endsWith("Acts"));
    }

    private static SagaDefinition<Order> local(World world) {
        Acts acts = world.acts();
        return SagaDefinition.builder(Order.TYPE)
                .step(acts.undoable(acts.local("take").retry(attempts(2)).timeout(TIMEOUT)))
                .build();
    }

    private static SagaDefinition<Order> external(World world, int attempts) {
        Acts acts = world.acts();
        return SagaDefinition.builder(Order.TYPE)
                .step(acts.undoable(
                        acts.external("call").retry(attempts(attempts)).timeout(TIMEOUT)))
                .build();
    }

    private static RetryPolicy attempts(int most) {
        return RetryPolicy.fixed(Duration.ofMillis(10)).maxAttempts(most);
    }
}
