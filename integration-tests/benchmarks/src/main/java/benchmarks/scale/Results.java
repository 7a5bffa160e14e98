package benchmarks.scale;

import benchmarks.Report;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What a measuring JVM found, carried over its standard output: numbers, curves, and lines for the report. */
final class Results {

    private static final String VALUE = "VALUE";

    private static final String CURVE = "CURVE";

    private final Map<String, double[]> values = new HashMap<>();

    private final Report report;

    /** Has found nothing yet. */
    Results(Report report) {
        this.report = report;
    }

    /** In the measuring JVM. */
    static void print(String name, double value) {
        System.out.println(VALUE + " " + name + " " + value);
    }

    /** In the measuring JVM: a value for each second. */
    static void print(String name, double[] perSecond) {
        System.out.println(CURVE + " " + name + " "
                + Arrays.stream(perSecond).mapToObj(Double::toString).collect(Collectors.joining(" ")));
    }

    /** In the measuring JVM: a line for the report. */
    static void say(String format, Object... arguments) {
        System.out.println(String.format(Locale.ROOT, format, arguments));
    }

    /** Takes a printed line. */
    void add(String line) {
        String[] words = line.split(" ", -1);
        if (words[0].equals(VALUE) || words[0].equals(CURVE)) {
            values.put(
                    words[1],
                    Arrays.stream(words)
                            .skip(2)
                            .mapToDouble(Double::parseDouble)
                            .toArray());
        } else {
            report.say("%s", line);
        }
    }

    double value(String name) {
        return curve(name)[0];
    }

    double[] curve(String name) {
        double[] found = values.get(name);
        if (found == null) {
            throw new IllegalStateException("The measuring JVM did not say: name=" + name);
        }
        return found;
    }
}
