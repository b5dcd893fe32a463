package io.holdfast.saga.jdbc;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.RetriableStep;
import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.StepAction;
import io.holdfast.saga.StepContext;
import io.holdfast.saga.internal.Definition;
import io.holdfast.saga.jdbc.internal.HoldingExtender;
import io.holdfast.saga.jdbc.internal.PostgresSagaStore;
import io.holdfast.saga.jdbc.internal.SagaTables;
import io.holdfast.saga.jdbc.testing.Effect;
import io.holdfast.saga.jdbc.testing.Effects;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.spi.NewSaga;
import io.holdfast.saga.spi.SagaStore;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/**
 * A saga for tests of what stands around the engine: "book" (external, undone), "note" (local, undone) and "pay" (the pivot,
 * external). Each leaves an effect, and then does what the test says.
 */
final class Trip {
    /** Its data. */
    record Data(long number, String text) {
        static Data of(long number) {
            return new Data(number, "trip " + number);
        }
    }

    static final SagaType<Data> TYPE = SagaType.of("trip", 1, Data.class);
    static final SagaType<Data> OTHER = SagaType.of("other-trip", 1, Data.class);
    /** An undo after a takeover waits for it. */
    private static final Duration STEP_TIMEOUT = Duration.ofSeconds(5);

    static final Duration LIMIT = Duration.ofSeconds(30);

    private static final HoldingExtender NO_ROWS = (dsl, holdings, until) -> {};
    private static final JacksonCodec CODEC = JacksonCodec.standard();

    private final DataSource dataSource;
    private final Effects effects;
    private final Map<String, StepAction<StepContext<Data>>> behaviour = new ConcurrentHashMap<>();

    Trip(DataSource dataSource, Effects effects) {
        this.dataSource = dataSource;
        this.effects = effects;
    }

    /** The effects of a saga that went well. */
    static final String[] ALL_DONE = {"book action", "note action", "pay action"};

    /** What the action of a step does after it has left its effect. */
    Trip when(String step, StepAction<StepContext<Data>> action) {
        behaviour.put(step, action);
        return this;
    }

    SagaDefinition<Data> definition() {
        return definition(TYPE);
    }

    SagaDefinition<Data> definition(SagaType<Data> type) {
        return SagaDefinition.builder(type)
                .step(book())
                .step(note())
                .pivot(pay())
                .build();
    }

    private CompensatableStep<Data> book() {
        return JdbcSteps.of(Data.class)
                .external("book", ctx -> run("book", ctx))
                .timeout(STEP_TIMEOUT)
                .retry(RetryPolicy.fixed(Duration.ofMillis(20)).maxAttempts(2))
                .compensatedBy((ctx, none) -> effects.append(Effect.compensation(ctx.sagaId(), "book")));
    }

    private CompensatableStep<Data> note() {
        return JdbcSteps.of(Data.class)
                .local("note", ctx -> {
                    ctx.dsl()
                            .execute(
                                    "insert into effect (saga_id, step, phase) values (?, 'note', 'action')",
                                    ctx.sagaId());
                    then("note", ctx);
                })
                .retry(RetryPolicy.fixed(Duration.ofMillis(20)).maxAttempts(2))
                .compensatedBy((ctx, none) -> ctx.dsl()
                        .execute(
                                "insert into effect (saga_id, step, phase) values (?, 'note', 'compensation')",
                                ctx.sagaId()));
    }

    private RetriableStep<Data> pay() {
        return JdbcSteps.of(Data.class)
                .external("pay", ctx -> run("pay", ctx))
                .timeout(STEP_TIMEOUT)
                .rejectedOn(Declined.class)
                .retry(RetryPolicy.fixed(Duration.ofMillis(20)).maxAttempts(2));
    }

    private void run(String step, StepContext<Data> ctx) throws Exception {
        effects.append(Effect.action(ctx.sagaId(), step).withKey(ctx.idempotencyKey()));
        then(step, ctx);
    }

    private void then(String step, StepContext<Data> ctx) throws Exception {
        StepAction<StepContext<Data>> more = behaviour.get(step);
        if (more != null) {
            more.run(ctx);
        }
    }

    /** Surely not done. */
    static final class Declined extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** An engine that looks for work often and takes over soon. */
    JdbcSagas.Builder engine() {
        return engine(dataSource);
    }

    JdbcSagas.Builder engine(DataSource other) {
        return JdbcSagas.builder(other)
                .register(definition())
                .lease(Duration.ofSeconds(2))
                .reapEvery(Duration.ofMillis(100))
                .capacity(4)
                .closeGrace(Duration.ofSeconds(2));
    }

    private SagaStore store() {
        return new PostgresSagaStore(dataSource, null, SagaTables.in(Schema.DEFAULT_NAME), NO_ROWS);
    }

    /** A saga that nobody drives, due now. */
    UUID waiting(SagaType<Data> type, long number) {
        var saga = stored(type, number);
        store().insertUnowned(saga, "dead", null);
        return saga.sagaId();
    }

    /** A saga whose node died before its first attempt. */
    UUID abandoned(SagaType<Data> type, long number) {
        var saga = stored(type, number);
        store().insertOwned(saga, "dead-1", Duration.ofMillis(1));
        return saga.sagaId();
    }

    private NewSaga stored(SagaType<Data> type, long number) {
        return new NewSaga(
                UUID.randomUUID(),
                ((Definition<Data>) definition(type)).ref(),
                "trip-" + number,
                "identity",
                UUID.randomUUID(),
                CODEC.encode(Data.of(number)),
                "book",
                null);
    }

    long count(SagaState state) {
        return Sql.value(dataSource, Long.class, "SELECT count(*) FROM holdfast.saga WHERE state = ?", state.name());
    }

    /** How many different effects, and how many in all: equal when nothing ran twice. */
    long twice() {
        return Sql.value(
                dataSource,
                Long.class,
                "SELECT count(*) FROM (SELECT FROM effect GROUP BY saga_id, step, phase HAVING count(*) > 1) AS t");
    }
}
