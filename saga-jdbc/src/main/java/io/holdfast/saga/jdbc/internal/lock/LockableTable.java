package io.holdfast.saga.jdbc.internal.lock;

import io.holdfast.saga.internal.Texts;
import io.holdfast.saga.jdbc.internal.table.Catalog.Column;
import io.holdfast.saga.jdbc.internal.table.TableCheck;
import io.holdfast.saga.jdbc.internal.table.TableSpec;
import java.util.Set;
import java.util.TreeSet;
import org.jooq.DSLContext;

/** Whether a table's rows can be locked, with these statuses. */
final class LockableTable {
    private static final Set<String> HOLDER_TYPES = Set.of("uuid", "text", "varchar");
    private static final int UUID_CHARS = 36;

    private final TableSpec table;
    private final TableCheck check;

    private LockableTable(TableSpec table, TableCheck check) {
        this.table = table;
        this.check = check;
    }

    static void check(DSLContext dsl, TableSpec table, Set<String> statuses) {
        LockableTable lockable = new LockableTable(table, TableCheck.of(dsl, table));
        lockable.holder();
        lockable.deadline();
        lockable.status(statuses);
    }

    private void holder() {
        Column holder = check.require("holder", table.holder(), HOLDER_TYPES, "uuid, text or varchar");
        check.requireNullable("holder", table.holder(), holder);
        if (holder.length() >= 0 && holder.length() < UUID_CHARS) {
            throw check.unfit(
                    "holder", table.holder(), holder, "shorter than the " + UUID_CHARS + " characters of a saga's id");
        }
    }

    private void deadline() {
        Column deadline = check.require(
                "deadline",
                table.deadline(),
                Set.of("timestamptz"),
                "timestamptz; a timestamp without time zone means another moment on every node");
        check.requireNullable("deadline", table.deadline(), deadline);
    }

    private void status(Set<String> statuses) {
        Column status = check.column("status", table.status());
        if (status.enumType() != 0) {
            Set<String> unknown = new TreeSet<>(statuses);
            unknown.removeAll(check.labels(status));
            if (!unknown.isEmpty()) {
                throw check.unfit("status", table.status(), status, "an enum without the labels " + unknown);
            }
            return;
        }
        check.require("status", table.status(), Set.of("text", "varchar"), "text, varchar or an enum");
        for (String value : statuses) {
            if (status.length() >= 0 && value.codePointCount(0, value.length()) > status.length()) {
                throw check.unfit("status", table.status(), status, "too short for \"" + Texts.printable(value) + "\"");
            }
        }
    }
}
