package io.holdfast.saga.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.saga.PayloadException;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Data and results on their way through the database and back. */
@PostgresTest
class PayloadTest {
    record Box<T>(T content) {}

    record Data(List<Long> longs, Map<UUID, BigDecimal> amounts, Optional<Instant> at, Box<List<Optional<Long>>> box) {}

    record Text(String text, Map<String, String> map) {}

    private static final SagaType<Data> GENERIC = SagaType.of("generic", 1, Data.class);
    private static final SagaType<Text> TEXTS = SagaType.of("texts", 1, Text.class);
    private static final StepKey<Data> COPY = StepKey.of("copy", Data.class);
    private static final StepKey<Text> ECHO = StepKey.of("echo", Text.class);
    private static final Data DATA = new Data(
            List.of(1L, Long.MAX_VALUE),
            Map.of(UUID.fromString("0190163d-8694-739b-aea5-966c26f8ad91"), new BigDecimal("0.10")),
            Optional.of(Instant.parse("2026-01-02T03:04:05.123456789Z")),
            new Box<>(List.of(Optional.of(7L), Optional.empty())));

    private final DataSource dataSource;

    PayloadTest(TestDatabase database) {
        this.dataSource = database.pool(8);
    }

    @BeforeEach
    void createTables() {
        Schema.migrate(dataSource, Schema.DEFAULT_NAME);
    }

    private JdbcSagas engine(SagaDefinition<?> definition) {
        return JdbcSagas.builder(dataSource)
                .register(definition)
                .capacity(4)
                .lease(Duration.ofMillis(500))
                .reapEvery(Duration.ofMillis(100))
                .closeGrace(Duration.ZERO)
                .build();
    }

    private static SagaDefinition<Data> generic(AtomicReference<Object> seen, CountDownLatch held) {
        var steps = JdbcSteps.of(Data.class);
        return SagaDefinition.builder(GENERIC)
                .step(steps.local(COPY, ctx -> ctx.data()).noCompensation("reads only"))
                .pivot(steps.external("look", ctx -> {
                    held.await();
                    seen.set(List.of(ctx.data(), ctx.result(COPY)));
                }))
                .build();
    }

    @Test
    @DisplayName("B91: data and results are the same in one run, and after another node took over between the steps")
    void data_and_results_are_the_same_in_one_run_and_after_a_takeover() throws Exception {
        var inOneRun = new AtomicReference<Object>();
        var afterTakeover = new AtomicReference<Object>();
        try (var sagas = engine(generic(inOneRun, new CountDownLatch(0)))) {
            var outcome = sagas.start(GENERIC, "one", DATA).await(Trip.LIMIT).orElseThrow();
            assertThat(outcome.result(COPY)).isEqualTo(DATA);
        }
        try (var dies = engine(generic(new AtomicReference<>(), new CountDownLatch(1)))) {
            dies.start(GENERIC, "two", DATA);
            await().until(() ->
                    dies.handle(GENERIC, "two").snapshot().orElseThrow().step().equals("look"));
        }
        try (var sagas = engine(generic(afterTakeover, new CountDownLatch(0)))) {
            var outcome = sagas.handle(GENERIC, "two").await(Trip.LIMIT).orElseThrow();
            assertThat(outcome.result(COPY)).isEqualTo(DATA);
        }
        assertThat(inOneRun.get()).isEqualTo(List.of(DATA, DATA));
        assertThat(afterTakeover.get()).isEqualTo(List.of(DATA, DATA));
    }

    private static SagaDefinition<Text> echo() {
        var steps = JdbcSteps.of(Text.class);
        return SagaDefinition.builder(TEXTS)
                .step(steps.external("before", ctx -> {}).noCompensation("does nothing"))
                .step(steps.external(ECHO, ctx -> {
                            String text = ctx.data().text();
                            if (text.startsWith("throw ")) {
                                throw new IllegalArgumentException("bad: a\u0000b \uD800 😀");
                            }
                            String result = text.replace("NUL", "\u0000").replace("HALF", "\uD800");
                            return new Text(result, Map.of(result, "x"));
                        })
                        .rejectedOn(IllegalArgumentException.class)
                        .noCompensation("does nothing"))
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u0000b", "\uD800", "\uDC00\uD83D", "a\\\u0000"})
    @DisplayName("B82: data that cannot be stored is refused at the start, in values and in keys")
    void data_that_cannot_be_stored_is_refused_at_the_start(String text) {
        try (var sagas = engine(echo())) {
            assertThatThrownBy(() -> sagas.start(TEXTS, "o-1", new Text(text, Map.of())))
                    .isInstanceOf(PayloadException.class)
                    .hasMessageContaining("SAGA-501");
            assertThatThrownBy(() -> sagas.start(TEXTS, "o-1", new Text("", Map.of(text, "x"))))
                    .isInstanceOf(PayloadException.class)
                    .hasMessageContaining("SAGA-501");
            assertThatThrownBy(() -> sagas.start(TEXTS, text, new Text("", Map.of())))
                    .hasMessageContaining("SAGA-201");
        }
        assertThat(Sql.value(dataSource, Long.class, "SELECT count(*) FROM holdfast.saga"))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"NUL", "HALF"})
    @DisplayName("B82: a result that cannot be stored fails its step, and the saga turns back")
    void a_result_that_cannot_be_stored_fails_its_step(String text) {
        try (var sagas = engine(echo())) {
            var saga = sagas.start(TEXTS, "o-1", new Text(text, Map.of()));

            assertThat(saga.await(Trip.LIMIT).orElseThrow().state()).isEqualTo(SagaState.COMPENSATED);
            assertThat(saga.snapshot().orElseThrow().lastError().orElseThrow()).contains("SAGA-501");
        }
    }

    @Test
    @DisplayName("B82: an error text that cannot be stored is recorded with what can be, and emoji are kept")
    void an_error_text_is_recorded_with_what_can_be_stored() {
        try (var sagas = engine(echo())) {
            var saga = sagas.start(TEXTS, "o-1", new Text("throw it", Map.of()));
            assertThat(saga.await(Trip.LIMIT).orElseThrow().state()).isEqualTo(SagaState.COMPENSATED);
            assertThat(saga.snapshot().orElseThrow().lastError().orElseThrow()).contains("bad: a\uFFFDb \uFFFD 😀");

            var fine = sagas.start(TEXTS, "😀", new Text("\\u0000 😀", Map.of("😀", "\"")));
            assertThat(fine.await(Trip.LIMIT).orElseThrow().result(ECHO).text()).isEqualTo("\\u0000 😀");
        }
    }

    /** Must never be initialised. */
    public static final class Probe {
        static {
            System.setProperty("holdfast.probe", "loaded");
        }
    }

    @Test
    @DisplayName(
            "B126: classes named in stored data and results are not loaded when the saga is taken up, nor by the audit")
    void classes_named_in_stored_data_are_not_loaded() {
        String probe = "{\"@class\": \"" + Probe.class.getName() + "\"}";
        try (var dies = engine(generic(new AtomicReference<>(), new CountDownLatch(1)))) {
            dies.start(GENERIC, "o-1", DATA);
            await().until(() ->
                    dies.handle(GENERIC, "o-1").snapshot().orElseThrow().step().equals("look"));
        }
        Sql.execute(dataSource, "UPDATE holdfast.saga SET data = data || ?::jsonb", probe);
        Sql.execute(
                dataSource, "UPDATE holdfast.saga_log SET result = result || ?::jsonb WHERE result IS NOT NULL", probe);
        try (var sagas = engine(generic(new AtomicReference<>(), new CountDownLatch(0)))) {
            var saga = sagas.handle(GENERIC, "o-1");
            assertThat(saga.await(Trip.LIMIT).orElseThrow().result(COPY)).isEqualTo(DATA);
            assertThat(sagas.audit().timeline(saga.sagaId())).isNotEmpty();
        }
        assertThat(System.getProperty("holdfast.probe")).isNull();
    }
}
