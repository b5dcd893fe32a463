package io.holdfast.saga.jdbc.internal;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The parameters of a prepared statement, set in their order. Always with a type, so that it is prepared on the server once only. */
public final class Parameters {
    /** 1,000 years; what is longer is meant to be for ever, and would be out of the range of timestamptz. */
    private static final Duration LONGEST = Duration.ofDays(365_000);

    private final PreparedStatement statement;
    private int index;

    Parameters(PreparedStatement statement) {
        this.statement = statement;
    }

    /** Text, or null. */
    public Parameters text(@Nullable String value) throws SQLException {
        statement.setString(++index, value);
        return this;
    }

    /** A bigint. */
    public Parameters number(long value) throws SQLException {
        statement.setLong(++index, value);
        return this;
    }

    Parameters number(int value) throws SQLException {
        statement.setInt(++index, value);
        return this;
    }

    Parameters uuid(UUID value) throws SQLException {
        statement.setObject(++index, value);
        return this;
    }

    /** In microseconds, for {@code ? * interval '1 microsecond'}. */
    Parameters micros(@Nullable Duration value) throws SQLException {
        if (value == null) {
            statement.setNull(++index, Types.BIGINT);
            return this;
        }
        Duration bounded = value.compareTo(LONGEST) > 0 ? LONGEST : value;
        return number(Math.addExact(bounded.getSeconds() * 1_000_000, bounded.getNano() / 1000));
    }

    Parameters array(String elementType, Object[] values) throws SQLException {
        statement.setArray(++index, statement.getConnection().createArrayOf(elementType, values));
        return this;
    }
}
