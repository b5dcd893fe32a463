package io.holdfast.saga.jdbc.testing;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The PostgreSQL server behind the tests of this JVM. It is started when first asked for and stopped by a shutdown hook. */
interface TestServer {

    /** Settings of a server that holds nothing worth keeping; none of them changes what a client sees. */
    Map<String, String> SETTINGS = Map.of(
            "max_connections", "200",
            "fsync", "off",
            "full_page_writes", "off",
            "max_prepared_transactions", "10",
            "log_timezone", "UTC",
            "log_line_prefix", ServerLog.PREFIX);

    /** How long a server may take to start before the tests give up on it. */
    Duration START_LIMIT = Duration.ofSeconds(60);

    /** One word, as in the system property. */
    String kind();

    /** A superuser's address in the server's maintenance database. */
    Address maintenance();

    /** All lines logged so far, oldest first. */
    List<String> log();
}
