package io.holdfast.saga.jdbc.internal.table;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Views of a business table, printed for a migration. The star stands for the columns that the table has when the view is made. */
public final class ViewDdl {
    private ViewDdl() {}

    /**
     * A view of some rows, with more columns.
     *
     * @param view its name
     * @param table whose rows it shows
     * @param more expressions besides the table's own columns
     * @param where which rows; null for all
     */
    public static String of(TableSpec view, TableSpec table, List<String> more, @Nullable String where) {
        StringBuilder sql = new StringBuilder();
        sql.append("CREATE VIEW ").append(view.quoted()).append(" AS\n");
        sql.append("SELECT ").append(table.quoted()).append(".*");
        more.forEach(expression -> sql.append(",\n       ").append(expression));
        sql.append("\nFROM ").append(table.quoted());
        if (where != null) {
            sql.append("\nWHERE ").append(where);
        }
        return sql.append(";\n").toString();
    }
}
