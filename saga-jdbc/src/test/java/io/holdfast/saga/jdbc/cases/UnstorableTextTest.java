package io.holdfast.saga.jdbc.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.saga.PayloadException;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaException;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.cases.Shop.Order;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** B82: what PostgreSQL cannot store is refused in data and replaced in error text; everything else is kept as it is. */
@PostgresTest
class UnstorableTextTest {
    private static final String NUL = "a\u0000b";
    private static final String HALF = "half \uD800 pair";
    private static final StepKey<String> ANSWER = StepKey.of("answer", String.class);

    private final AtomicInteger undone = new AtomicInteger();
    private Shop shop;
    private JdbcSagas sagas;

    @BeforeEach
    void open(TestDatabase database) {
        shop = new Shop(database);
        sagas = shop.engine(SagaDefinition.builder(Shop.ORDER)
                .step(Shop.STEPS.local("first", ctx -> {}).compensatedBy((ctx, none) -> undone.incrementAndGet()))
                .step(Shop.STEPS
                        .external(ANSWER, ctx -> answer(ctx.data()))
                        .retry(io.holdfast.saga.RetryPolicy.none())
                        .noCompensation("a question"))
                .build());
    }

    private static String answer(Order order) {
        return switch (order.text()) {
            case "answers NUL" -> NUL;
            case "answers half a pair" -> HALF;
            case "throws NUL" -> throw new IllegalStateException("bad " + NUL + " and " + HALF);
            default -> order.text();
        };
    }

    @AfterEach
    void close() {
        sagas.close();
        shop.close();
    }

    @Test
    @DisplayName("data with a NUL or half a surrogate pair is refused by start, and nothing is stored")
    void dataIsRefused() {
        for (String bad : new String[] {NUL, HALF, "\uDC00\uD83D"}) {
            assertThatThrownBy(() -> sagas.start(Shop.ORDER, "order-1", new Order(1, bad)))
                    .isInstanceOfSatisfying(
                            PayloadException.class,
                            e -> assertThat(e.error()).isEqualTo(SagaError.PAYLOAD_NOT_STORABLE));
        }
        assertThat(shop.value("select count(*) from holdfast.saga")).isEqualTo("0");
    }

    @Test
    @DisplayName("a business key with a NUL is refused by start")
    void keyIsRefused() {
        assertThatThrownBy(() -> sagas.start(Shop.ORDER, NUL, new Order(1, "x")))
                .isInstanceOfSatisfying(
                        SagaUsageException.class, e -> assertThat(e.error()).isEqualTo(SagaError.INVALID_BUSINESS_KEY));
    }

    @Test
    @DisplayName("a result that cannot be stored fails its step without a retry, and what was done is undone")
    void resultTurnsBack() {
        for (String answer : new String[] {"answers NUL", "answers half a pair"}) {
            SagaHandle saga = sagas.start(Shop.ORDER, answer, new Order(1, answer));
            assertThat(saga.await(Shop.SOON).orElseThrow().state()).isEqualTo(SagaState.COMPENSATED);
            assertThat(saga.snapshot().orElseThrow().lastError().orElseThrow())
                    .contains(SagaError.PAYLOAD_NOT_STORABLE.code());
        }
        assertThat(undone).hasValue(2);
    }

    @Test
    @DisplayName("an error text that cannot be stored is stored with what is bad replaced")
    void errorIsCleaned() {
        SagaHandle saga = sagas.start(Shop.ORDER, "k", new Order(1, "throws NUL"));
        assertThat(saga.await(Shop.SOON).orElseThrow().state()).isEqualTo(SagaState.COMPENSATED);
        assertThat(saga.snapshot().orElseThrow().lastError().orElseThrow())
                .contains("bad a\uFFFDb and half \uFFFD pair");
    }

    @Test
    @DisplayName("what can be stored comes back as it was: emoji, quotes, backslashes, a written-out escape")
    void goodTextIsKept() throws SagaException {
        String good = "😀 \" \\ \\u0000 \\\\u0000 ✓";
        SagaHandle saga = sagas.start(Shop.ORDER, "😀-key", new Order(1, good));
        assertThat(saga.await(Shop.SOON).orElseThrow().result(ANSWER)).isEqualTo(good);
        assertThat(saga.snapshot().orElseThrow().businessKey()).isEqualTo("😀-key");
    }
}
