package io.holdfast.saga.jdbc.internal.counter;

import io.holdfast.saga.internal.Receipt;
import io.holdfast.saga.jdbc.internal.table.OneRow;
import io.holdfast.saga.jdbc.internal.table.ReceiptJson;
import java.math.BigDecimal;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a step did to a number, as its journal entry keeps it: all that undoing it needs, whatever the code says by then.
 *
 * @param row where the number is
 * @param column in which column
 * @param delta what was added; negative for what was taken away
 * @param before what it was
 */
record CounterReceipt(OneRow row, String column, BigDecimal delta, BigDecimal before) {
    Receipt receipt() {
        ObjectNode json = ReceiptJson.of("counter", row);
        json.put("column", column);
        json.put("delta", delta.toPlainString());
        json.put("before", before.toPlainString());
        return ReceiptJson.receipt(json);
    }

    static CounterReceipt read(Receipt receipt) {
        JsonNode json = ReceiptJson.read(receipt.json());
        return ReceiptJson.reading(() -> new CounterReceipt(
                ReceiptJson.row(json),
                json.required("column").stringValue(),
                new BigDecimal(json.required("delta").stringValue()),
                new BigDecimal(json.required("before").stringValue())));
    }
}
