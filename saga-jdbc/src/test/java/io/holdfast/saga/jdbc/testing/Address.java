package io.holdfast.saga.jdbc.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/** Where a database is and how to log in to it, as a value; {@code parameters} are the driver's other settings. */
record Address(String host, int port, String database, String user, String password, Map<String, String> parameters) {

    static Address parse(String url) {
        Properties given = Driver.parseURL(url, new Properties());
        if (given == null || given.getProperty("user") == null) {
            throw new IllegalArgumentException(
                    "not a URL like jdbc:postgresql://host:port/database?user=me&password=secret: " + url);
        }
        var parameters = new TreeMap<String, String>();
        given.stringPropertyNames().forEach(name -> parameters.put(name, given.getProperty(name)));
        return new Address(
                parameters.remove(PGProperty.PG_HOST.getName()),
                Integer.parseInt(parameters.remove(PGProperty.PG_PORT.getName())),
                parameters.remove(PGProperty.PG_DBNAME.getName()),
                parameters.remove(PGProperty.USER.getName()),
                parameters.getOrDefault(PGProperty.PASSWORD.getName(), ""),
                without(parameters, PGProperty.PASSWORD.getName()));
    }

    private static Map<String, String> without(Map<String, String> parameters, String name) {
        parameters.remove(name);
        return Map.copyOf(parameters);
    }

    Address withDatabase(String other) {
        return new Address(host, port, other, user, password, parameters);
    }

    Address at(String otherHost, int otherPort) {
        return new Address(otherHost, otherPort, database, user, password, parameters);
    }

    /** A URL that needs nothing beside it: user and password are in it. */
    String url() {
        var query = new TreeMap<>(parameters);
        query.put(PGProperty.USER.getName(), user);
        query.put(PGProperty.PASSWORD.getName(), password);
        return "jdbc:postgresql://%s:%d/%s?".formatted(host, port, database)
                + query.entrySet().stream()
                        .map(parameter -> parameter.getKey() + "=" + URLEncoder.encode(parameter.getValue(), UTF_8))
                        .collect(Collectors.joining("&"));
    }
}
