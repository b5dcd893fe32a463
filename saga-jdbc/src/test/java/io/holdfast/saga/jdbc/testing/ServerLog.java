package io.holdfast.saga.jdbc.testing;

import java.util.ArrayList;
import java.util.List;

/** Picks one database's entries out of the log of a server that many databases share. */
final class ServerLog {

    /** The server's log_line_prefix. No blanks: one of the servers gets it through a shell. */
    static final String PREFIX = "db=%d,pid=%p,at=%m,";

    private ServerLog() {}

    /** The lines of {@code database}, with the further lines of entries that have more than one. */
    static List<String> of(String database, List<String> lines) {
        var own = new ArrayList<String>();
        boolean wanted = false;
        for (String line : lines) {
            if (line.startsWith("db=")) {
                wanted = line.startsWith("db=" + database + ",");
            }
            if (wanted) {
                own.add(line);
            }
        }
        return List.copyOf(own);
    }
}
