package io.holdfast.saga.examples.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.JournalEntry;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.JdbcSteps;
import io.holdfast.saga.jdbc.Schema;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.Sql;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a saga of three local steps costs the server, by the server's own counters. The figures in the docs come from here. */
@PostgresTest
class ThreeLocalStepsTest {
    private static final int SAGAS = 200;
    private static final SagaType<Bump> BUMP = SagaType.of("bump", 1, Bump.class);

    private final TestDatabase database;

    ThreeLocalStepsTest(TestDatabase database) {
        this.database = database;
    }

    record Bump(int row) {}

    @BeforeEach
    void createTables() {
        Schema.migrate(database.dataSource(), Schema.DEFAULT_NAME);
        Sql.execute(database.dataSource(), """
                create table bumped (id int primary key, n int not null);
                insert into bumped select i, 0 from generate_series(1, %d) i;
                """.formatted(SAGAS));
    }

    @Test
    void it_costs_at_most_four_commits() throws InterruptedException {
        var idle = cost(0);
        var busy = cost(SAGAS);

        double commits = (double) (busy.commits() - idle.commits()) / SAGAS;
        double statements = (double) (busy.statements() - idle.statements()) / SAGAS;
        System.out.printf(
                "a saga of three local steps: %.2f commits, %.2f statements (BEGIN and COMMIT included)%n",
                commits, statements);
        assertThat(commits).isBetween(3.9, 4.1);
    }

    /** Of a node that runs so many sagas, from its start to its end. */
    private Cost cost(int sagas) throws InterruptedException {
        Sql.execute(database.dataSource(), "alter database \"" + database.name() + "\" set log_statement = 'all'");
        var before = Cost.of(database);
        run(sagas);
        var after = Cost.of(database);
        return new Cost(after.commits() - before.commits(), after.statements() - before.statements());
    }

    /**
     * One after the other. Nobody asks how they are, for a question would count too. Closes every connection: a session reports
     * what it counted at the latest when it ends.
     */
    private void run(int count) throws InterruptedException {
        var ended = new Semaphore(0);
        try (var pool = database.pool(6);
                var sagas = JdbcSagas.builder(pool)
                        .register(threeSteps())
                        .listener((saga, entry) -> ended.release(entry.kind() == JournalEntry.Kind.COMPLETED ? 1 : 0))
                        .capacity(4)
                        .lease(Duration.ofMinutes(10))
                        .reapEvery(Duration.ofMinutes(10))
                        .build()) {
            for (int row = 1; row <= count; row++) {
                sagas.start(BUMP, "bump-" + row, new Bump(row));
                assertThat(ended.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    private static SagaDefinition<Bump> threeSteps() {
        var steps = JdbcSteps.of(Bump.class);
        return SagaDefinition.builder(BUMP)
                .step(steps.local("first", ctx -> bump(ctx.dsl(), ctx.data())).compensatedBy((ctx, none) -> {}))
                .step(steps.local("second", ctx -> bump(ctx.dsl(), ctx.data())).compensatedBy((ctx, none) -> {}))
                .pivot(steps.local("third", ctx -> bump(ctx.dsl(), ctx.data())))
                .build();
    }

    private static void bump(DSLContext dsl, Bump data) {
        dsl.execute("update bumped set n = n + 1 where id = ?", data.row());
    }

    private record Cost(long commits, long statements) {
        static Cost of(TestDatabase database) {
            long commits = Sql.value(
                    database.dataSource(),
                    Long.class,
                    "select xact_commit from pg_stat_database where datname = ?",
                    database.name());
            long statements = database.serverLog().stream()
                    .filter(line -> line.contains("statement: ") || line.contains("execute "))
                    .count();
            return new Cost(commits, statements);
        }
    }
}
