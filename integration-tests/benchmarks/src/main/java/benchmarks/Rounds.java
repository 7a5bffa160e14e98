package benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rates of contenders that were measured in turns, round by round. On a machine shared with others two rates are only comparable if
 * they were measured in the same minute: two contenders are compared within each round, and the median of these ratios counts.
 */
public final class Rounds {

    private final Map<String, List<Double>> rates = new LinkedHashMap<>();

    /** Adds a contender's rate in its next round. */
    public void add(String contender, double rate) {
        rates.computeIfAbsent(contender, name -> new ArrayList<>()).add(rate);
    }

    /** Whether a contender took part. */
    public boolean has(String contender) {
        return rates.containsKey(contender);
    }

    /** The median of a contender's rates. */
    public double rate(String contender) {
        return median(rates.get(contender));
    }

    /** The median over the rounds of how many times faster {@code contender} was than {@code other}. */
    public double ratio(String contender, String other) {
        List<Double> mine = rates.get(contender);
        List<Double> others = rates.get(other);
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < Math.min(mine.size(), others.size()); round++) {
            ratios.add(mine.get(round) / others.get(round));
        }
        return median(ratios);
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
