package io.holdfast.saga.jdbc.internal.local;

import io.holdfast.saga.RevalidationException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.jdbc.internal.JdbcTransaction;
import io.holdfast.saga.jdbc.internal.Jooq;
import java.io.Serial;
import java.util.List;
import java.util.Locale;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.ExecuteType;
import org.jooq.exception.DataAccessException;

/**
 * Makes each SELECT of a reader lock the rows it reads. FOR SHARE at the end of a statement reaches the tables of its FROM clause, also
 * through views and plain subqueries there; where it would reach nothing without saying so (EXISTS and other subqueries, common table
 * expressions) the statement is refused.
 */
final class LockingReads implements ExecuteListener {
    @Serial
    private static final long serialVersionUID = 1L;

    /** FOR SHARE is not allowed here: aggregates, DISTINCT, GROUP BY, set operations, materialized views. */
    private static final String NOT_SUPPORTED = "0A000";

    private LockingReads() {}

    /** The same transaction, with reads that lock. */
    static JdbcTransaction in(JdbcTransaction transaction) {
        return new JdbcTransaction(Jooq.listening(transaction.dsl(), new LockingReads()), transaction.tables());
    }

    @Override
    public void renderEnd(ExecuteContext ctx) {
        String sql = ctx.sql();
        if (ctx.type() != ExecuteType.READ || sql == null) {
            throw refused("only SELECTs are run here, one at a time");
        }
        String top = topLevel(sql).toLowerCase(Locale.ROOT).strip();
        if (!top.startsWith("select") || !top.matches("(?s).*\\bfrom\\b.*")) {
            throw refused("rows can be locked only by a SELECT … FROM … without a common table expression");
        }
        ctx.sql(sql + " for share");
    }

    @Override
    public void exception(ExecuteContext ctx) {
        if (ctx.exception() instanceof DataAccessException e && NOT_SUPPORTED.equals(e.sqlState())) {
            ctx.exception(refused("a SELECT with aggregates, DISTINCT, GROUP BY or a set operation locks no rows"));
        }
    }

    private static RevalidationException refused(String why) {
        return new RevalidationException(
                SagaError.READ_NOT_LOCKABLE,
                "what is to be revalidated cannot be read under a lock: " + why
                        + ". The pivot is not begun; read the rows themselves, and count or compare them in Java",
                List.of());
    }

    /** The statement without what stands in quotes or parentheses. */
    static String topLevel(String sql) {
        StringBuilder top = new StringBuilder();
        int depth = 0;
        char quote = 0;
        for (int i = 0; i < sql.length(); i++) {
            char c = sql.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == '(') {
                depth++;
            } else if (c == ')') {
                depth--;
            } else if (depth == 0) {
                top.append(c);
            }
        }
        return top.toString();
    }
}
