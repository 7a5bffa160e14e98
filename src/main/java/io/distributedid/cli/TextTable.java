package io.distributedid.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** A table of text. Each column but the last is padded to its widest cell. */
final class TextTable {

    private final List<List<String>> rows = new ArrayList<>();

    TextTable(String... head) {
        rows.add(List.of(head));
    }

    void add(String... row) {
        rows.add(List.of(row));
    }

    void print(PrintWriter out) {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int column = 0; column < columns; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < columns - 1; column++) {
                String text = row.get(column);
                line.append(text).append(" ".repeat(widths[column] - text.length() + 2));
            }
            out.println(line.append(row.get(columns - 1)));
        }
    }
}
