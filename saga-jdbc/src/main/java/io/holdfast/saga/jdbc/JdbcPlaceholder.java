package io.holdfast.saga.jdbc;

import io.holdfast.saga.Placeholder;

/** Keeps the build of this module honest until its first real class. */
public final class JdbcPlaceholder {

    private JdbcPlaceholder() {}

    /**
     * Says the project's name.
     *
     * @return the name
     */
    public static String name() {
        return Placeholder.name();
    }
}
