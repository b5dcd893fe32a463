package io.holdfast.saga.jdbc.internal;

import java.sql.Connection;
import org.jooq.DSLContext;
import org.jooq.ExecuteListener;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;
import org.jooq.impl.DefaultConnectionProvider;

/**
 * How the library makes a DSLContext. By setters: the overloads of {@code DSL.using} show the compiler a class of jOOQ whose
 * annotations are not there, and a warning ends the build.
 */
public final class Jooq {
    private Jooq() {}

    /** On a connection, which is not closed. */
    public static DSLContext on(Connection connection) {
        return DSL.using(configuration(connection));
    }

    /** The same in a local step: transactions inside it are savepoints. */
    static DSLContext in(StepConnection step) {
        DefaultConfiguration configuration = configuration(step.asConnection());
        configuration.setTransactionProvider(new Savepoints(step));
        return DSL.using(configuration);
    }

    /** The same connection and transaction, with somebody who hears of each statement. */
    public static DSLContext listening(DSLContext dsl, ExecuteListener listener) {
        DefaultConfiguration configuration = new DefaultConfiguration();
        configuration.setSQLDialect(dsl.dialect());
        configuration.setConnectionProvider(dsl.configuration().connectionProvider());
        configuration.setTransactionProvider(dsl.configuration().transactionProvider());
        configuration.setExecuteListener(listener);
        return DSL.using(configuration);
    }

    private static DefaultConfiguration configuration(Connection connection) {
        DefaultConfiguration configuration = new DefaultConfiguration();
        configuration.setSQLDialect(SQLDialect.POSTGRES);
        configuration.setConnectionProvider(new DefaultConnectionProvider(connection));
        return configuration;
    }
}
