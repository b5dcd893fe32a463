package io.holdfast.saga.jdbc.internal.lock;

import io.holdfast.saga.internal.Receipt;
import io.holdfast.saga.jdbc.internal.table.ReceiptJson;
import io.holdfast.saga.jdbc.internal.table.TableSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a claim took, as its journal entry keeps it: everything that undo, release, heartbeat and the next holder need, on any
 * node and whatever the code says by then. Immutable.
 *
 * @param table with its columns
 * @param pending the status that the rows were given
 * @param lockedFor how long a claim or renewal holds
 * @param rows each row once
 */
record LockReceipt(TableSpec table, String pending, Duration lockedFor, List<Row> rows) {
    /** How a row came to be held. */
    enum How {
        /** It was free, or its holder was finished or unknown: undoing restores the former status. */
        ACQUIRED,
        /** The saga held it already: undoing leaves it alone. */
        RE_ENTERED
    }

    /**
     * A row.
     *
     * @param id as the database prints it, one text per column of the key
     * @param former its status before the claim; null for none, or when re-entered
     * @param how it came to be held
     */
    record Row(List<String> id, @Nullable String former, How how) {}

    /** The rows that undoing or releasing this claim concerns. */
    List<Row> acquired() {
        return rows.stream().filter(row -> row.how == How.ACQUIRED).toList();
    }

    Receipt receipt() {
        ObjectNode json = ReceiptJson.of("lock", table);
        json.put("status", table.status());
        json.put("holder", table.holder());
        json.put("deadline", table.deadline());
        json.put("pending", pending);
        json.put("millis", lockedFor.toMillis());
        ArrayNode list = json.putArray("rows");
        for (Row row : rows) {
            ObjectNode node = list.addObject();
            ReceiptJson.put(node, "id", row.id);
            node.put("former", row.former);
            node.put("how", row.how.name());
        }
        return ReceiptJson.receipt(json);
    }

    /** The receipt of a release: the steps whose claims it ended. */
    static Receipt released(List<String> claims) {
        ObjectNode json = ReceiptJson.empty();
        ReceiptJson.put(json, "released", claims);
        return ReceiptJson.receipt(json);
    }

    /** A receipt, if the JSON is one at all. */
    static Optional<LockReceipt> find(String json) {
        return json.contains("\"lock\"") && json.contains("\"millis\"") ? Optional.of(read(json)) : Optional.empty();
    }

    static LockReceipt read(String json) {
        JsonNode tree = ReceiptJson.read(json);
        return ReceiptJson.reading(() -> read(tree));
    }

    private static LockReceipt read(JsonNode json) {
        TableSpec table = new TableSpec(
                ReceiptJson.texts(json, "table"),
                ReceiptJson.texts(json, "key"),
                text(json, "status"),
                text(json, "holder"),
                text(json, "deadline"),
                TableSpec.VERSION);
        List<Row> rows = new ArrayList<>();
        for (JsonNode row : json.required("rows")) {
            JsonNode former = row.required("former");
            rows.add(new Row(
                    ReceiptJson.texts(row, "id"),
                    former.isNull() ? null : former.stringValue(),
                    How.valueOf(text(row, "how"))));
        }
        Duration lockedFor = Duration.ofMillis(json.required("millis").longValue());
        return new LockReceipt(table, text(json, "pending"), lockedFor, List.copyOf(rows));
    }

    private static String text(JsonNode json, String name) {
        return json.required(name).stringValue();
    }
}
