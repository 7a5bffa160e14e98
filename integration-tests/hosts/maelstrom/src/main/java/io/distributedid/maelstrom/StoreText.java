package io.distributedid.maelstrom;

import io.distributedid.backend.snowflake.lease.WorkerRow;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A whole store of worker numbers as one text, so that one compare-and-set of a key replaces one row, and one read sees
 * all. A line for each row, {@code row 7 1763733600000 0b1c... app-1 pid 17}, and for each record, {@code record photos
 * ...}; in each the last part may have spaces.
 *
 * @param rows by their numbers
 * @param records by their names
 */
record StoreText(Map<Long, WorkerRow> rows, Map<String, String> records) {

    static StoreText parse(Optional<String> text) {
        Map<Long, WorkerRow> rows = new TreeMap<>();
        Map<String, String> records = new TreeMap<>();
        text.stream().flatMap(String::lines).forEach(line -> {
            if (line.startsWith("row ")) {
                String[] parts = line.split(" ", 5);
                WorkerRow row = new WorkerRow(Long.parseLong(parts[1]), parts[4], Long.parseLong(parts[2]), parts[3]);
                rows.put(row.worker(), row);
            } else {
                String[] parts = line.split(" ", 3);
                records.put(parts[1], parts[2]);
            }
        });
        return new StoreText(rows, records);
    }

    String text() {
        return Stream.concat(
                        rows.values().stream()
                                .map(row -> "row " + row.worker() + " " + row.reservedUntil() + " " + row.token() + " "
                                        + row.owner()),
                        records.entrySet().stream().map(each -> "record " + each.getKey() + " " + each.getValue()))
                .collect(Collectors.joining("\n"));
    }

    StoreText with(WorkerRow row) {
        Map<Long, WorkerRow> changed = new TreeMap<>(rows);
        changed.put(row.worker(), row);
        return new StoreText(changed, records);
    }

    StoreText with(String name, String content) {
        Map<String, String> changed = new TreeMap<>(records);
        changed.put(name, content);
        return new StoreText(rows, changed);
    }
}
