package io.holdfast.saga.jdbc.testing;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database of a test's own. {@link #create()} makes it, empty, on the server that the system property
 * {@code holdfast.test.database} names; {@link #close()} drops it. Usually injected, see {@link PostgresTest}.
 * Threadsafe.
 */
public final class TestDatabase implements AutoCloseable {

    private static final AtomicInteger COUNTER = new AtomicInteger();

    private final Address address;
    private final List<HikariDataSource> pools;
    private final Runnable drop;

    private TestDatabase(Address address, List<HikariDataSource> pools, Runnable drop) {
        this.address = address;
        this.pools = pools;
        this.drop = drop;
    }

    /** Makes an empty database; the first call in a JVM also starts the server. */
    public static TestDatabase create() {
        var server = Maintenance.server();
        String name = "holdfast_" + ProcessHandle.current().pid() + "_" + COUNTER.incrementAndGet();
        Maintenance.execute("CREATE DATABASE " + name + " TEMPLATE template0");
        return new TestDatabase(
                server.maintenance().withDatabase(name),
                new CopyOnWriteArrayList<>(),
                () -> Maintenance.execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)"));
    }

    /** Another JVM's database, by its {@link #url()}; closing it closes this JVM's pools only. */
    public static TestDatabase attach(String url) {
        return new TestDatabase(Address.parse(url), new CopyOnWriteArrayList<>(), () -> {});
    }

    /** This database as it is reached through a proxy. Needs no closing; its pools are watched and closed with this. */
    public TestDatabase via(TcpProxy proxy) {
        return new TestDatabase(address.at("127.0.0.1", proxy.port()), pools, () -> {});
    }

    /** A data source without a pool. Its sessions live in another time zone than the JVM. */
    public PGSimpleDataSource dataSource() {
        return new ZonedDataSource(address);
    }

    /** A pool of at most {@code size} connections, closed with this database. It gives up waiting after five seconds. */
    public HikariDataSource pool(int size) {
        return pool(size, config -> {});
    }

    /** The same with settings of the test's own. */
    public HikariDataSource pool(int size, Consumer<HikariConfig> settings) {
        var config = new HikariConfig();
        config.setDataSource(dataSource());
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(5_000);
        config.setPoolName(name() + "-pool-" + (pools.size() + 1));
        settings.accept(config);
        var pool = new HikariDataSource(config);
        pools.add(pool);
        return pool;
    }

    /** A JDBC URL with user and password in it, to hand to another JVM. */
    public String url() {
        return address.url();
    }

    /** Where the server listens, as seen from this machine. */
    public String host() {
        return address.host();
    }

    /** The server's port. */
    public int port() {
        return address.port();
    }

    /** The database's name, unique on the server. */
    public String name() {
        return address.database();
    }

    /** A superuser, or for a server given by URL the user named there. */
    public String user() {
        return address.user();
    }

    /** The user's password. */
    public String password() {
        return address.password();
    }

    /** What the server logged about this database, oldest first. Not for an attached one or a server given by URL. */
    public List<String> serverLog() {
        return ServerLog.of(name(), Maintenance.server().log());
    }

    /**
     * Fails when a pooled connection is not returned, a transaction left open or an advisory lock not released. Not for
     * an attached one.
     */
    public void assertNoLeaks() {
        new LeakCheck(name(), pools).verify();
    }

    @Override
    public void close() {
        pools.forEach(HikariDataSource::close);
        drop.run();
    }
}
