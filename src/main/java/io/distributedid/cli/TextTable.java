package io.distributedid.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table of text. Each column but the last is padded to its widest cell. */
final class TextTable {

    private final List<List<String>> rows = new ArrayList<>();

    TextTable(String... head) {
        add(head);
    }

    void add(String... row) {
        rows.add(List.of(row));
    }

    /** Its lines, without the last line's end. */
    @Override
    public String toString() {
        int last = rows.get(0).size() - 1;
        int[] widths = IntStream.range(0, last)
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        return rows.stream()
                .map(row -> IntStream.range(0, last)
                        .mapToObj(column -> padded(row.get(column), widths[column] + 2))
                        .collect(Collectors.joining("", "", row.get(last))))
                .collect(Collectors.joining(System.lineSeparator()));
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(width - text.length());
    }
}
