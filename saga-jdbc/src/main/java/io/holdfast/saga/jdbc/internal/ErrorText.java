package io.holdfast.saga.jdbc.internal;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * An error as it is recorded for years: classes, SQLSTATE and messages along the chain of causes, but nothing of what the
 * server calls DETAIL, which quotes rows, and no SQL, which may quote values. Never fails, whatever the error does.
 */
final class ErrorText {
    private static final int DEEPEST = 6;

    private ErrorText() {}

    static String of(Throwable error) {
        List<Throwable> chain = chain(error);
        StringBuilder text = new StringBuilder();
        for (Throwable link : chain) {
            if (text.length() > 0) {
                text.append("; caused by ");
            }
            text.append(link(link, chain));
        }
        return text.toString();
    }

    private static List<Throwable> chain(Throwable error) {
        List<Throwable> chain = new ArrayList<>();
        Throwable link = error;
        while (link != null && chain.size() < DEEPEST && !chain.contains(link)) {
            chain.add(link);
            link = next(link);
        }
        return chain;
    }

    private static @Nullable Throwable next(Throwable link) {
        try {
            return link instanceof BatchUpdateException batch && batch.getNextException() != null
                    ? batch.getNextException()
                    : link.getCause();
        } catch (RuntimeException | Error e) { // overridden by whoever made the exception
            return null;
        }
    }

    private static String link(Throwable link, List<Throwable> chain) {
        String name = link.getClass().getName();
        try {
            String state =
                    link instanceof SQLException sql && sql.getSQLState() != null ? " [" + sql.getSQLState() + "]" : "";
            String message = message(link, chain);
            return name + state + (message == null || message.isBlank() ? "" : ": " + message);
        } catch (RuntimeException | Error e) { // its own toString or getMessage may be what is broken
            return name + ": its message cannot be read";
        }
    }

    private static @Nullable String message(Throwable link, List<Throwable> chain) {
        if (link instanceof PSQLException postgres) {
            return ofServer(postgres);
        }
        if (link instanceof BatchUpdateException || link instanceof DataAccessException) {
            return null; // quotes the statement; the cause says the rest
        }
        String message = link.getMessage();
        for (Throwable cause : chain) {
            // wrappers like to repeat what they wrap
            if (message != null && cause != link && cause instanceof PSQLException postgres) {
                message = message.replace(String.valueOf(postgres.getMessage()), ofServer(postgres));
            }
        }
        return message;
    }

    private static String ofServer(PSQLException e) {
        ServerErrorMessage server = e.getServerErrorMessage();
        String message = server == null ? e.getMessage() : server.getMessage();
        return message == null ? "" : message;
    }
}
