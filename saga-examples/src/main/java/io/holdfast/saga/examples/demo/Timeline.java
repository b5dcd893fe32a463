package io.holdfast.saga.examples.demo;

import io.holdfast.saga.JournalEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A saga's journal as a table for people. */
final class Timeline {
    private static final List<String> HEADER = List.of("#", "ms", "what", "step", "attempt", "run", "node", "remark");
    private static final int LONGEST_REMARK = 100;

    private Timeline() {}

    /** One line per entry, below a header. */
    static List<String> of(List<JournalEntry> journal) {
        var rows = new ArrayList<List<String>>();
        rows.add(HEADER);
        journal.forEach(entry -> rows.add(cells(entry, journal.get(0))));
        return rows.stream().map(row -> aligned(row, widths(rows))).toList();
    }

    private static List<String> cells(JournalEntry entry, JournalEntry first) {
        return List.of(
                Long.toString(entry.seq()),
                Long.toString(Duration.between(first.at(), entry.at()).toMillis()),
                entry.kind().toString(),
                entry.step().orElse(""),
                entry.attempt() == 0 ? "" : Integer.toString(entry.attempt()),
                Long.toString(entry.runSeq()),
                entry.node(),
                remark(entry));
    }

    private static String remark(JournalEntry entry) {
        var text = entry.error()
                .or(entry::note)
                .orElse("")
                .lines()
                .collect(Collectors.joining(" "))
                .replaceFirst("^[a-z.]+\\.(?=[A-Z])", "");
        return text.length() <= LONGEST_REMARK ? text : text.substring(0, LONGEST_REMARK - 1) + "…";
    }

    private static List<Integer> widths(List<List<String>> rows) {
        return IntStream.range(0, HEADER.size())
                .mapToObj(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toList();
    }

    private static String aligned(List<String> row, List<Integer> widths) {
        return IntStream.range(0, row.size())
                .mapToObj(column -> isNumber(column)
                        ? " ".repeat(widths.get(column) - row.get(column).length()) + row.get(column)
                        : row.get(column)
                                + " "
                                        .repeat(widths.get(column)
                                                - row.get(column).length()))
                .collect(Collectors.joining("  "))
                .stripTrailing();
    }

    private static boolean isNumber(int column) {
        return column < 2 || column == 4 || column == 5;
    }
}
