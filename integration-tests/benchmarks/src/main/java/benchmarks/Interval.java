package benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * Where a ratio lies with a confidence of 95 %: the t-interval of the mean of logarithms. From ten ratios on, a tenth
 * at either end is trimmed (Tukey and McLaughlin), because a round in which the machine was busy with other things says
 * little.
 *
 * @param low the lower end; 0 if a single ratio is known
 * @param middle the geometric mean
 * @param high the upper end; infinite if a single ratio is known
 */
public record Interval(double low, double middle, double high) {

    private static final double CONFIDENCE = 0.95;

    private static final int TRIMMED = 10;

    /** Of a value that is counted, not estimated. */
    static Interval exact(double value) {
        return new Interval(value, value, value);
    }

    /** Of ratios that were measured independently, each above 0. */
    static Interval of(List<Double> ratios) {
        if (ratios.isEmpty() || !ratios.stream().allMatch(ratio -> ratio > 0 && ratio < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("An interval needs ratios above 0: ratios=" + ratios);
        }
        double[] logs = ratios.stream().mapToDouble(Math::log).sorted().toArray();
        int trimmed = logs.length / TRIMMED;
        double[] kept = Arrays.copyOfRange(logs, trimmed, logs.length - trimmed);
        double mean = Arrays.stream(kept).average().orElseThrow();
        if (logs.length == 1) {
            return new Interval(0, Math.exp(mean), Double.POSITIVE_INFINITY);
        }
        double reach = new TDistribution(kept.length - 1).inverseCumulativeProbability((1 + CONFIDENCE) / 2)
                * winsorizedDeviation(logs, trimmed)
                * Math.sqrt(logs.length)
                / kept.length;
        return new Interval(Math.exp(mean - reach), Math.exp(mean), Math.exp(mean + reach));
    }

    /** The standard deviation if the trimmed values were as large as the outermost ones that are kept. */
    private static double winsorizedDeviation(double[] sorted, int trimmed) {
        double least = sorted[trimmed];
        double most = sorted[sorted.length - 1 - trimmed];
        double[] values = Arrays.stream(sorted)
                .map(value -> Math.max(least, Math.min(most, value)))
                .toArray();
        double mean = Arrays.stream(values).average().orElseThrow();
        double squares = Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        return Math.sqrt(squares / (values.length - 1));
    }

    /** For example {@code 0.97 [0.94, 1.01]}. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s [%s, %s]", number(middle), number(low), number(high));
    }

    private static String number(double value) {
        return Double.isInfinite(value) ? "..." : String.format(Locale.ROOT, value < 100 ? "%.2f" : "%.0f", value);
    }
}
