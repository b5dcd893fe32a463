package io.holdfast.saga.jdbc.reservation;

import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.StepContext;
import io.holdfast.saga.StepRejectedException;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.reservation.Shelf.Buy;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;

/** Many who want the same; also as a JVM of its own, to be killed in the middle: url, number of purchases, most units each. */
final class Rush {
    private static final List<String> FATES = List.of("buys", "buys", "buys", "declined", "refused", "forgets");

    private final DataSource dataSource;

    private Rush(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Buys, is declined, is refused at the pivot, or forgets what it has reserved until its time is over. */
    static SagaDefinition<Buy> definition(DataSource dataSource) {
        Rush rush = new Rush(dataSource);
        Predicate<StepContext<Buy>> forgets = ctx -> ctx.data().fate().equals("forgets");
        Reservation<Buy> kept = Shelf.stock().ttl(Duration.ofMinutes(5));
        Reservation<Buy> fleeting = Shelf.stock().ttl(Duration.ofMillis(100));
        return SagaDefinition.builder(Shelf.TYPE)
                .step(kept.reserve("reserve").when(forgets.negate()))
                .step(fleeting.reserve("reserve-briefly").when(forgets))
                .step(Shelf.STEPS.external("decide", rush::decide).noCompensation("decides only"))
                .pivot(Shelf.STEPS.external("pay", Rush::pay).retry(RetryPolicy.none()))
                .then(kept.settle("settle").when(forgets.negate()))
                .then(fleeting.settle("settle-brief").when(forgets))
                .build();
    }

    private void decide(StepContext<Buy> ctx) {
        Shelf.asTheDataSays(ctx);
        if (ctx.data().fate().equals("forgets")) {
            awaitExpiry(dataSource, ctx.sagaId().toString(), 0.001);
        }
    }

    /** Until so many seconds after (or before) the saga's reservation expires, by the database's clock. */
    static void awaitExpiry(DataSource dataSource, String sagaId, double offset) {
        Sql.rows(
                dataSource,
                "SELECT pg_sleep(greatest(0, extract(epoch FROM max(expires_at) - clock_timestamp()) + CAST(? AS float8)))::text"
                        + " FROM holdfast.saga_reservation WHERE saga_id = CAST(? AS uuid)",
                offset,
                sagaId);
    }

    private static void pay(StepContext<Buy> ctx) {
        if (ctx.data().fate().equals("refused")) {
            throw new StepRejectedException("the pivot is refused");
        }
    }

    static Buy buy(RandomGenerator random, int mostUnits) {
        String fate = FATES.get(random.nextInt(FATES.size()));
        return new Buy("a", 1 + random.nextInt(mostUnits), fate);
    }

    public static void main(String[] arguments) {
        int purchases = Integer.parseInt(arguments[1]);
        int mostUnits = Integer.parseInt(arguments[2]);
        TestDatabase database = TestDatabase.attach(arguments[0]);
        JdbcSagas sagas = JdbcSagas.builder(database.pool(10))
                .register(definition(database.dataSource()))
                .nodeName("doomed")
                .lease(Duration.ofSeconds(1))
                .capacity(8)
                .build();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
        for (int i = 0; i < purchases; i++) {
            String key = "doomed-" + i;
            Buy buy = buy(random, mostUnits);
            threads.execute(() -> {
                var unused = sagas.run(Shelf.TYPE, key, buy, Shelf.SOON);
                System.out.println("ended " + key);
            });
        }
    }
}
