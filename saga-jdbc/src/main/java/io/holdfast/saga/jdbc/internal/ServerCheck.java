package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.internal.Definition;
import io.holdfast.saga.internal.StepSpec;
import io.holdfast.saga.jdbc.internal.table.Registrable;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.exception.DataAccessException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is looked at once, when an engine is built: the server's settings, and the business tables of the definitions. */
final class ServerCheck {
    private static final Logger LOG = LoggerFactory.getLogger(ServerCheck.class);
    private static final int OLDEST = 13;

    private static final String SETTINGS =
            "SELECT cast(current_setting('server_version_num') AS integer) / 10000 AS version,"
                    + " current_setting('synchronous_commit') AS commit, current_setting('fsync') AS fsync,"
                    + " current_setting('server_encoding') AS encoding,"
                    + " pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on' AS read_only";

    private ServerCheck() {}

    static void run(DataSource dataSource, Collection<SagaDefinition<?>> definitions) {
        try (Taken taken = Taken.forStatements(dataSource)) {
            DSLContext dsl = Jooq.on(taken.connection());
            settings(dsl.fetchSingle(SETTINGS));
            definitions.forEach(definition -> businessTables(dsl, definition));
        } catch (SQLException | DataAccessException e) {
            throw SqlStates.unavailable("the server cannot be checked", e);
        }
    }

    private static void settings(Record server) {
        int version = server.get("version", Integer.class);
        if (version < OLDEST) {
            throw new SagaDefinitionException(
                    SagaError.INVALID_SETTING,
                    "the server is PostgreSQL " + version + "; " + OLDEST + " or newer is needed");
        }
        if (List.of(server.get("commit"), server.get("fsync")).contains("off")) {
            LOG.warn(
                    "The server has synchronous_commit or fsync off: after a crash of it, committed steps may be gone while"
                            + " what they caused elsewhere is not. Fit for tests only");
        }
        if (!"UTF8".equals(server.get("encoding"))) {
            LOG.warn(
                    "The database's encoding is {}: data with characters it does not have is refused",
                    server.get("encoding"));
        }
        if (Boolean.TRUE.equals(server.get("read_only", Boolean.class))) {
            LOG.warn("The server is read-only: no saga goes on until it is not");
        }
    }

    private static void businessTables(DSLContext dsl, SagaDefinition<?> definition) {
        for (StepSpec<?> step : ((Definition<?>) definition).steps()) {
            StepSpec.Use use = step.extras().use();
            if (use != null && use.resource() instanceof Registrable table) {
                table.register(dsl);
            }
        }
    }
}
