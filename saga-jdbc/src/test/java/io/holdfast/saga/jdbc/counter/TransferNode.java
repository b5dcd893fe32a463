package io.holdfast.saga.jdbc.counter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.StepAction;
import io.holdfast.saga.StepContext;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A node that starts and drives transfers; with {@link #main} in a JVM of its own, to be killed. */
final class TransferNode {
    /** Calls of the bank that it gets an answer to. */
    static final int ANSWERED = 5;

    /** Those after them, which stand still. */
    static final int HELD = 3;

    private static final int CAPACITY = 12;

    private static int calls;

    private TransferNode() {}

    static JdbcSagas open(TestDatabase database, String name, StepAction<StepContext<Transfer>> onCall) {
        return JdbcSagas.builder(database.pool(CAPACITY + 4))
                .register(Transfer.givenAtThePivot(onCall))
                .register(Transfer.givenAfterThePivot(onCall))
                .nodeName(name)
                .capacity(CAPACITY)
                .lease(Duration.ofSeconds(3))
                .reapEvery(Duration.ofMillis(200))
                .build();
    }

    static SagaHandle start(JdbcSagas node, int number) {
        Transfer transfer = Transfer.of(number);
        return node.start(transfer.type(), transfer.key(), transfer);
    }

    /** Database and name. When it is given two numbers it starts the transfers between them, the last one first, and tells its calls. */
    public static void main(String[] arguments) throws Exception {
        JdbcSagas node = open(TestDatabase.attach(arguments[0]), arguments[1], ctx -> call());
        System.out.println("READY");
        String[] bounds = new BufferedReader(new InputStreamReader(System.in, UTF_8))
                .readLine()
                .split(" ", 2);
        int first = Integer.parseInt(bounds[0]);
        int end = Integer.parseInt(bounds[1]);
        for (int number = end - 1; number >= first; number--) {
            start(node, number);
        }
        Thread.currentThread().join();
    }

    /** Some calls are never answered: so it surely dies in the middle of some sagas, wherever the others are. */
    private static void call() throws InterruptedException {
        int call = nextCall();
        if (call > ANSWERED && call <= ANSWERED + HELD) {
            new CountDownLatch(1).await();
        }
    }

    private static synchronized int nextCall() {
        calls++;
        System.out.println("CALL " + calls);
        return calls;
    }
}
