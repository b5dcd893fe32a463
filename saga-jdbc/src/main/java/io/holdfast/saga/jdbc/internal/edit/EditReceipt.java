package io.holdfast.saga.jdbc.internal.edit;

import io.holdfast.saga.internal.Receipt;
import io.holdfast.saga.jdbc.internal.table.OneRow;
import io.holdfast.saga.jdbc.internal.table.ReceiptJson;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an edit did, as its journal entry keeps it: all that undoing it needs, whatever the code says by then.
 *
 * @param row which one
 * @param version the one that the edit gave it, as the database prints it
 * @param former the values before, as the database prints them
 */
record EditReceipt(OneRow row, String version, Map<String, @Nullable String> former) {
    Receipt receipt() {
        ObjectNode json = ReceiptJson.of("edit", row);
        json.put("versionColumn", row.spec().version());
        json.put("version", version);
        ObjectNode values = json.putObject("former");
        former.forEach(values::put);
        return ReceiptJson.receipt(json);
    }

    static EditReceipt read(Receipt receipt) {
        JsonNode json = ReceiptJson.read(receipt.json());
        return ReceiptJson.reading(() -> read(json));
    }

    private static EditReceipt read(JsonNode json) {
        OneRow row = ReceiptJson.row(json);
        OneRow versioned = new OneRow(
                row.spec().versionColumn(json.required("versionColumn").stringValue()), row.id());
        Map<String, @Nullable String> former = new LinkedHashMap<>();
        json.required("former")
                .properties()
                .forEach(value -> former.put(
                        value.getKey(),
                        value.getValue().isNull() ? null : value.getValue().stringValue()));
        return new EditReceipt(versioned, json.required("version").stringValue(), former);
    }
}
