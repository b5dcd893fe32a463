package io.holdfast.saga.jdbc.counter;

import io.holdfast.saga.ExternalStep;
import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.StepAction;
import io.holdfast.saga.StepContext;
import io.holdfast.saga.StepRejectedException;
import io.holdfast.saga.jdbc.BusinessTable;
import io.holdfast.saga.jdbc.JdbcSteps;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Function;

/**
 * Money that goes from one account to another, and what goes wrong with it. All follows from its number, so that every node that starts it
 * starts the same.
 *
 * @param rejected whether the bank says no
 * @param failures how many attempts to ask the bank fail before that
 */
record Transfer(int number, UUID from, UUID to, BigDecimal amount, boolean rejected, int failures) {
    static final int ACCOUNTS = 10;

    private static final SagaType<Transfer> PIVOT_TYPE = SagaType.of("given-at-the-pivot", 1, Transfer.class);
    private static final SagaType<Transfer> AFTER_TYPE = SagaType.of("given-after-the-pivot", 1, Transfer.class);
    private static final JdbcSteps<Transfer> STEPS = JdbcSteps.of(Transfer.class);
    private static final BusinessTable ACCOUNT = BusinessTable.of("account");
    private static final RetryPolicy AT_ONCE = RetryPolicy.fixed(Duration.ofMillis(5));

    /** More than the bank is asked where it may be given up. */
    private static final int TOO_MANY = 4;

    private static final int[] FAILURES = {0, 0, 0, 0, 0, 0, 1, 1, 2, TOO_MANY};

    /** Where the bank is asked before the pivot. */
    static SagaDefinition<Transfer> givenAtThePivot(StepAction<StepContext<Transfer>> onCall) {
        return SagaDefinition.builder(PIVOT_TYPE)
                .step(balance(Transfer::from).floor(BigDecimal.ZERO).subtract("take", Transfer::amount))
                .step(bank(onCall).retry(AT_ONCE.maxAttempts(TOO_MANY - 1)).noCompensation("only asks"))
                .pivot(balance(Transfer::to).add("give", Transfer::amount))
                .build();
    }

    /** Where the bank is the pivot. */
    static SagaDefinition<Transfer> givenAfterThePivot(StepAction<StepContext<Transfer>> onCall) {
        return SagaDefinition.builder(AFTER_TYPE)
                .step(balance(Transfer::from).floor(BigDecimal.ZERO).subtract("take", Transfer::amount))
                .pivot(bank(onCall).retry(AT_ONCE.forever()))
                .then(balance(Transfer::to).add("give", Transfer::amount))
                .build();
    }

    static Transfer of(int number) {
        SplittableRandom random = new SplittableRandom(number);
        int from = random.nextInt(ACCOUNTS);
        int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
        return new Transfer(
                number,
                account(from),
                account(to),
                BigDecimal.valueOf(random.nextInt(1, 6_000), 2),
                random.nextInt(5) == 0,
                FAILURES[random.nextInt(FAILURES.length)]);
    }

    static UUID account(int number) {
        return new UUID(0, number);
    }

    SagaType<Transfer> type() {
        return number % 2 == 0 ? PIVOT_TYPE : AFTER_TYPE;
    }

    String key() {
        return "transfer " + number;
    }

    private static Counter<Transfer> balance(Function<Transfer, UUID> account) {
        return STEPS.counter(ACCOUNT, "balance", account);
    }

    private static ExternalStep<Transfer, Void> bank(StepAction<StepContext<Transfer>> onCall) {
        return STEPS.external("ask-bank", ctx -> {
            onCall.run(ctx);
            answer(ctx);
        });
    }

    private static void answer(StepContext<Transfer> ctx) {
        Transfer transfer = ctx.data();
        if (ctx.attempt() <= transfer.failures()) {
            throw new IllegalStateException("no answer from the bank");
        }
        if (transfer.rejected()) {
            throw new StepRejectedException("the bank says no");
        }
    }
}
