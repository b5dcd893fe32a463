package io.holdfast.saga.spi;

/**
 * How a local step's transaction is kept apart from others, and how often it is run again when the database rolls it back for that
 * (SQLSTATE 40001, 40P01). Such runs are not counted as attempts.
 *
 * @param level how much of what others do it sees
 * @param runs the most runs per attempt, at least 1
 */
public record Isolation(Level level, int runs) {
    /** The default: what all the library's own statements are written for. */
    public static final Isolation READ_COMMITTED = new Isolation(Level.READ_COMMITTED, 10);

    /** The levels that PostgreSQL tells apart. */
    public enum Level {
        /** Each statement sees what was committed before it. */
        READ_COMMITTED("READ COMMITTED"),
        /** All statements see what was committed before the first. */
        REPEATABLE_READ("REPEATABLE READ"),
        /** As if transactions ran one after the other. */
        SERIALIZABLE("SERIALIZABLE");

        private final String sql;

        Level(String sql) {
            this.sql = sql;
        }

        /**
         * As it stands in SQL.
         *
         * @return never null
         */
        public String sql() {
            return sql;
        }
    }

    /**
     * Whether a change of the saga's row by others, such as a renewal of its lease, would have the database roll it back.
     *
     * @return true above READ COMMITTED
     */
    public boolean isStrict() {
        return level != Level.READ_COMMITTED;
    }
}
