package io.holdfast.saga.examples;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.saga.examples.gallery.Gallery;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** The anomaly gallery: what goes wrong between sagas without isolation, and what each tool makes of it. */
public final class GalleryMain {
    private GalleryMain() {}

    /**
     * Shows it. Ends the JVM: with 0, or with 1 when an anomaly did not show, or was not prevented.
     *
     * @param args none are read
     * @throws Exception when the database cannot be started
     */
    public static void main(String[] args) throws Exception {
        boolean asExpected;
        List<HikariDataSource> pools = new ArrayList<>();
        try (var server = EmbeddedPostgres.builder().start()) {
            asExpected = new Gallery(System.out, () -> database(server, pools)).show();
            pools.forEach(HikariDataSource::close);
        }
        System.exit(asExpected ? 0 : 1);
    }

    private static DataSource database(EmbeddedPostgres server, List<HikariDataSource> pools) {
        String name = "gallery" + pools.size();
        DSL.using(server.getPostgresDatabase(), SQLDialect.POSTGRES).execute("CREATE DATABASE " + name);
        var config = new HikariConfig();
        config.setDataSource(server.getDatabase("postgres", name));
        config.setMaximumPoolSize(12);
        config.setMinimumIdle(0);
        var pool = new HikariDataSource(config);
        pools.add(pool);
        return pool;
    }
}
