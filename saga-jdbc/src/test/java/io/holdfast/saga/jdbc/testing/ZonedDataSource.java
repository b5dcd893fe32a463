package io.holdfast.saga.jdbc.testing;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.TimeZone;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The driver's plain data source, except that its sessions live in another time zone than the JVM: what mixes up the two
 * is then wrong by hours and seen, instead of right by luck.
 */
final class ZonedDataSource extends PGSimpleDataSource {

    private static final long serialVersionUID = 1;

    /** Zones no machine of ours runs in, with offsets that are not whole hours. */
    static final String SESSION_ZONE =
            TimeZone.getDefault().getID().equals("Asia/Kathmandu") ? "Australia/Eucla" : "Asia/Kathmandu";

    ZonedDataSource(Address address) {
        setURL(address.url());
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        Connection connection = super.getConnection(user, password);
        try (var statement = connection.createStatement()) {
            statement.execute("SET TIME ZONE '" + SESSION_ZONE + "'");
            return connection;
        } catch (SQLException failed) {
            connection.close();
            throw failed;
        }
    }
}
