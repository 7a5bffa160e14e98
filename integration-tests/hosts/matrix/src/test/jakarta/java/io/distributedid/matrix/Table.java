package io.distributedid.matrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The table of the documentation: an outcome for each case and version. Reasons stand below it, numbered. */
final class Table {

    private static final String HEADER = "| case |";

    private static final Pattern REASON = Pattern.compile("(\\d+)\\. (.*)");

    /** What stands above the table. */
    private final List<String> introduction = new ArrayList<>();

    private final Map<String, Map<String, String>> outcomes = new LinkedHashMap<>();

    private final TreeSet<String> versions = new TreeSet<>(Table::compare);

    static Table read(Path file) throws IOException {
        Table table = new Table();
        List<String> lines = Files.readAllLines(file);
        int header = 0;
        while (header < lines.size() && !lines.get(header).startsWith(HEADER)) {
            table.introduction.add(lines.get(header));
            header++;
        }
        if (header == lines.size()) {
            return table;
        }
        Map<String, String> reasons = new LinkedHashMap<>();
        lines.stream()
                .map(REASON::matcher)
                .filter(java.util.regex.Matcher::matches)
                .forEach(reason -> reasons.put("no, " + reason.group(1), reason.group(2)));
        List<String> columns = cells(lines.get(header));
        for (String line : lines.subList(header + 2, lines.size())) {
            List<String> cells = cells(line);
            for (int i = 1; line.startsWith("|") && i < cells.size(); i++) {
                if (!cells.get(i).isEmpty()) {
                    table.put(cells.get(0), columns.get(i), reasons.getOrDefault(cells.get(i), cells.get(i)));
                }
            }
        }
        return table;
    }

    private static List<String> cells(String line) {
        return line.startsWith("|")
                ? Arrays.stream(line.substring(1).split("\\|"))
                        .map(String::strip)
                        .toList()
                : List.of();
    }

    /** Hibernate's versions, which are numbers, then those with the name of another provider. */
    private static int compare(String version, String other) {
        boolean isNumber = Character.isDigit(version.charAt(0));
        if (isNumber != Character.isDigit(other.charAt(0))) {
            return isNumber ? -1 : 1;
        }
        return Arrays.compare(numbers(version), numbers(other));
    }

    private static int[] numbers(String version) {
        return Arrays.stream(version.split("\\D+"))
                .filter(part -> !part.isEmpty())
                .mapToInt(Integer::parseInt)
                .toArray();
    }

    void put(String name, String version, String outcome) {
        versions.add(version);
        outcomes.computeIfAbsent(name, any -> new LinkedHashMap<>()).put(version, outcome);
    }

    /** What the table says of a version, by case. */
    Map<String, String> column(String version) {
        Map<String, String> column = new LinkedHashMap<>();
        outcomes.forEach((name, byVersion) -> {
            if (byVersion.containsKey(version)) {
                column.put(name, byVersion.get(version));
            }
        });
        return column;
    }

    /** Puts a version's outcomes in; cases that no version has any more are left out. */
    void replace(String version, Map<String, String> found) {
        outcomes.values().forEach(byVersion -> byVersion.remove(version));
        found.forEach((name, outcome) -> put(name, version, outcome));
        outcomes.values().removeIf(Map::isEmpty);
        versions.clear();
        outcomes.values().forEach(byVersion -> versions.addAll(byVersion.keySet()));
    }

    void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>(introduction);
        lines.addAll(lines());
        Files.write(file, lines);
    }

    /** The table and its reasons. */
    List<String> lines() {
        List<String> reasons = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        lines.add(HEADER + " " + String.join(" | ", versions) + " |");
        lines.add("|---" + "|---".repeat(versions.size()) + "|");
        outcomes.forEach((name, byVersion) -> {
            StringBuilder line = new StringBuilder("| " + name + " |");
            for (String version : versions) {
                line.append(' ')
                        .append(cell(byVersion.getOrDefault(version, ""), reasons))
                        .append(" |");
            }
            lines.add(line.toString());
        });
        lines.add("");
        for (int i = 0; i < reasons.size(); i++) {
            lines.add((i + 1) + ". " + reasons.get(i));
        }
        return lines;
    }

    private static String cell(String outcome, List<String> reasons) {
        if (outcome.isEmpty() || outcome.equals(Outcomes.WORKS)) {
            return outcome;
        }
        if (!reasons.contains(outcome)) {
            reasons.add(outcome);
        }
        return "no, " + (reasons.indexOf(outcome) + 1);
    }
}
