package benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a group says: lines and tables as they come, its ratios at the end, its chart as a file. */
public final class Report {

    private final String group;

    private final Path charts;

    private final List<String> ratios = new ArrayList<>();

    Report(String group, Path charts) {
        this.group = group;
        this.charts = charts;
    }

    /** Prints a line. */
    public void say(String format, Object... arguments) {
        System.out.println(String.format(Locale.ROOT, format, arguments));
    }

    /** Prints rows in columns as wide as they need, the first one to the left and the others to the right. */
    public void table(List<List<String>> rows) {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                String sign = column == 0 ? "-" : "";
                line.append(String.format("  %" + sign + widths[column] + "s", row.get(column)));
            }
            System.out.println(line);
        }
    }

    /** Keeps a ratio for the end. */
    public void ratio(String name, double value) {
        ratios.add(String.format(Locale.ROOT, "RATIO %s %.2f", name, value));
    }

    /** As above; one below {@code bar} is marked. */
    public void ratio(String name, double value, double bar) {
        ratio(name, value);
        if (value < bar) {
            ratios.add(String.format(Locale.ROOT, "MISSED %s: wanted %.2f", name, bar));
        }
    }

    /** Writes the group's chart. */
    public void chart(Chart chart) throws IOException {
        Files.createDirectories(charts);
        Files.writeString(charts.resolve(group + ".svg"), chart.svg());
    }

    void ratios() {
        ratios.forEach(System.out::println);
    }
}
