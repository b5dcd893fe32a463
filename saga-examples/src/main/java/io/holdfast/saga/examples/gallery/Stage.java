package io.holdfast.saga.examples.gallery;

import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.jdbc.JdbcSagas;
import io.holdfast.saga.jdbc.Schema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** An empty database with saga tables, and the nodes that play on it. Not threadsafe, but for its statements. */
public final class Stage implements AutoCloseable {
    private final DataSource dataSource;
    private final DSLContext dsl;
    private final List<JdbcSagas> nodes = new ArrayList<>();

    /**
     * A stage.
     *
     * @param dataSource an empty database
     */
    public Stage(DataSource dataSource) {
        this.dataSource = dataSource;
        this.dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
        Schema.migrate(dataSource, Schema.DEFAULT_NAME);
    }

    DataSource dataSource() {
        return dataSource;
    }

    /** For readers and for people who use plain SQL; each statement commits by itself. */
    DSLContext dsl() {
        return dsl;
    }

    void sql(String statements) {
        dsl.execute(statements);
    }

    /** The only value a query returns, as the database prints it. */
    String text(String query) {
        return String.valueOf(dsl.fetchSingle(query).get(0));
    }

    /** A node that reaps only when told to. */
    JdbcSagas node(SagaDefinition<?> definition) {
        JdbcSagas node = JdbcSagas.builder(dataSource)
                .register(definition)
                .capacity(4)
                .reapEvery(Duration.ofMinutes(30))
                .build();
        nodes.add(node);
        return node;
    }

    /** How a saga ended. */
    static SagaState end(SagaHandle saga) {
        return saga.await(Duration.ofSeconds(20))
                .orElseThrow(() -> new IllegalStateException("a saga has not ended within 20 seconds"))
                .state();
    }

    @Override
    public void close() {
        nodes.forEach(JdbcSagas::close);
    }
}
