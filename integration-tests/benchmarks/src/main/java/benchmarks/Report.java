package benchmarks;

import benchmarks.Bar.Verdict;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a group says: lines and tables as they come, its ratios at the end, its chart as a file. */
public final class Report {

    private final String group;

    private final Path charts;

    private final String origin;

    private final PrintStream out;

    private final List<String> ratios = new ArrayList<>();

    private final List<String> missed = new ArrayList<>();

    /**
     * Says nothing yet.
     *
     * @param charts the folder for charts
     * @param origin stands below a chart: which run drew it, where
     */
    Report(String group, Path charts, String origin, PrintStream out) {
        this.group = group;
        this.charts = charts;
        this.origin = origin;
        this.out = out;
    }

    /** Prints a line. */
    public void say(String format, Object... arguments) {
        out.println(String.format(Locale.ROOT, format, arguments));
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
            out.println(line);
        }
    }

    /** Keeps a value for the end that is counted, not estimated from rounds. */
    public void value(String name, double value) {
        ratios.add(String.format(Locale.ROOT, "RATIO %s %.2f", name, value));
    }

    /** As above, with a bar. */
    public void value(String name, double value, Bar bar) {
        judge(name, String.format(Locale.ROOT, "%.2f", value), bar, bar.verdict(Interval.exact(value)));
    }

    /** Keeps a ratio for the end. */
    public void ratio(String name, Ratio ratio) {
        ratios.add("RATIO " + name + " " + ratio);
    }

    /** As above, with a bar. */
    public void ratio(String name, Ratio ratio, Bar bar) {
        judge(name, ratio.toString(), bar, bar.verdict(ratio));
    }

    /** Keeps how many times a fixed rate a contender reached, with a bar. */
    public void multiple(String name, Rounds rounds, String contender, double fixed, Bar bar) {
        Interval interval = rounds.multiple(contender, fixed);
        judge(name, interval.toString(), bar, bar.verdict(interval));
    }

    private void judge(String name, String ratio, Bar bar, Verdict verdict) {
        String line = name + " " + ratio + " " + bar.text(verdict);
        ratios.add("RATIO " + line);
        if (verdict == Verdict.MISSED) {
            missed.add(line);
        }
    }

    /** Writes the group's chart. */
    public void chart(Picture chart) throws IOException {
        Files.createDirectories(charts);
        Files.writeString(charts.resolve(group + ".svg"), chart.svg(origin));
    }

    void ratios() {
        ratios.forEach(out::println);
    }

    /** Ratios below their bars for certain. */
    List<String> missed() {
        return missed;
    }
}
