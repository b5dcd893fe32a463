package io.holdfast.saga.jdbc.testing;

import java.sql.SQLException;

/** The unchecked form of an {@link SQLException}, so that tests can use SQL inside lambdas. */
public final class SqlFailure extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String sqlState;

    SqlFailure(SQLException cause) {
        super(cause.getMessage(), cause);
        this.sqlState = cause.getSQLState();
    }

    /** The five characters by which failures are told apart. */
    public String sqlState() {
        return sqlState;
    }
}
