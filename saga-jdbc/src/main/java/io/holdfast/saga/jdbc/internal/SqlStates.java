package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaStoreException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a database error means, by SQLSTATE and never by text, wherever in the chain of causes it is. */
public final class SqlStates {
    /** An earlier statement failed; whatever comes after it in its transaction is refused. */
    static final String ABORTED_TRANSACTION = "25P02";

    static final String READ_ONLY = "25006";
    static final String LOCK_NOT_AVAILABLE = "55P03";

    private static final Set<String> RERUN = Set.of("40001", "40P01");
    /** Shut down by an operator, crashed, starting; too many connections; a failover's old primary. */
    private static final Set<String> AWAY = Set.of("57P01", "57P02", "57P03", "53300", READ_ONLY);

    private static final int DEEPEST = 20;

    private SqlStates() {}

    /** Whether the database is not to be had for now, which is nobody's failure. */
    public static boolean isUnavailable(Throwable error) {
        return any(error, e -> e instanceof SQLTransientConnectionException || isAway(e.getSQLState()));
    }

    /** Whether the same transaction can be expected to go through when it is run again. */
    static boolean isRerun(Throwable error) {
        return has(error, RERUN::contains);
    }

    /** Whether one of the chain has such a state. */
    public static boolean has(Throwable error, Predicate<String> state) {
        return any(error, e -> e.getSQLState() != null && state.test(e.getSQLState()));
    }

    /** What aborted the transaction, where the driver knows and the error only says that it is aborted. */
    static SQLException original(SQLException error) {
        SQLException first = error;
        for (int depth = 0; depth < DEEPEST && ABORTED_TRANSACTION.equals(first.getSQLState()); depth++) {
            if (!(first.getCause() instanceof SQLException earlier)) {
                return first;
            }
            first = earlier;
        }
        return first;
    }

    /**
     * Whether an error at COMMIT leaves open if it happened: the connection broke, the server went down, or it is not the
     * server that speaks. Any other code is the server's own refusal, after which it has rolled back.
     */
    static boolean isDoubtful(SQLException atCommit) {
        String state = atCommit.getSQLState();
        return state == null
                || state.length() < 2
                || Set.of("08", "53", "57", "58", "XX").contains(state.substring(0, 2));
    }

    /** What is thrown then. */
    public static SagaStoreException unavailable(String what, @Nullable Throwable cause) {
        return new SagaStoreException(
                SagaError.STORE_UNAVAILABLE,
                what + ": the database is not available, nothing was changed; what can be repeated is repeated",
                cause);
    }

    private static boolean isAway(@Nullable String state) {
        return state != null && (state.startsWith("08") || AWAY.contains(state));
    }

    private static boolean any(Throwable error, Predicate<SQLException> test) {
        Throwable cause = error;
        for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
            if (cause instanceof SQLException sql && test.test(sql)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }
}
