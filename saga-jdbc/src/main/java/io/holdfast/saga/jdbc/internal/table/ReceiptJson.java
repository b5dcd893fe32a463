package io.holdfast.saga.jdbc.internal.table;

import io.holdfast.saga.PayloadException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.internal.Receipt;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Receipts of steps that concern rows, as JSON: the tool with its table as the first field, then which rows they are. */
public final class ReceiptJson {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private ReceiptJson() {}

    /** A receipt that says nothing yet. */
    public static ObjectNode empty() {
        return JSON.createObjectNode();
    }

    /** The beginning of a receipt for rows of a table. */
    public static ObjectNode of(String tool, TableSpec table) {
        ObjectNode json = empty().put(tool, table.quoted());
        put(json, "table", table.qualifiedName());
        put(json, "key", table.ids());
        return json;
    }

    /** The beginning of a receipt for one row. */
    public static ObjectNode of(String tool, OneRow row) {
        ObjectNode json = of(tool, row.spec());
        put(json, "id", row.id());
        return json;
    }

    /** The beginning of a receipt for what is no row. */
    public static ObjectNode of(String tool, String what) {
        return empty().put(tool, what);
    }

    /** As the journal keeps it. */
    public static Receipt receipt(ObjectNode json) {
        return new Receipt(JSON.writeValueAsString(json));
    }

    /** As it was written. */
    public static JsonNode read(String receipt) {
        return reading(() -> JSON.readTree(receipt));
    }

    /** Where the row is. */
    public static OneRow row(JsonNode json) {
        TableSpec table = TableSpec.of(texts(json, "table").toArray(String[]::new))
                .idColumns(texts(json, "key").toArray(String[]::new));
        return new OneRow(table, texts(json, "id"));
    }

    /** What cannot be read is a matter of other code, or of whoever wrote the journal. */
    public static <T> T reading(Supplier<T> read) {
        try {
            return read.get();
        } catch (JacksonException | IllegalArgumentException e) {
            throw new PayloadException(
                    SagaError.PAYLOAD_UNREADABLE, "the journal's receipt of a step cannot be read", e);
        }
    }

    /** A list of texts. */
    public static void put(ObjectNode json, String name, List<String> texts) {
        ArrayNode array = json.putArray(name);
        texts.forEach(array::add);
    }

    /** A list of texts. */
    public static List<String> texts(JsonNode json, String name) {
        List<String> texts = new ArrayList<>();
        json.required(name).forEach(text -> texts.add(text.stringValue()));
        return List.copyOf(texts);
    }
}
