package io.holdfast.saga.jdbc.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * One version of the tables, as a script on the class path; it records itself in saga_schema.
 *
 * @param version from 1
 * @param file named as Flyway wants it
 */
public record SchemaScript(int version, String file) {
    private static final String FOLDER = "/io/holdfast/saga/jdbc/schema/";
    private static final String PLACEHOLDER = "${schema}";

    /** The SQL for a schema. */
    public String text(SchemaName schema) {
        return read().replace(PLACEHOLDER, schema.quoted());
    }

    private String read() {
        String path = FOLDER + file;
        try (InputStream in = Objects.requireNonNull(SchemaScript.class.getResourceAsStream(path), path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(path, e);
        }
    }
}
