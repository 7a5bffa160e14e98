package benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Rates of contenders that were measured in turns, round by round. On a machine shared with others two rates are only
 * comparable if they were measured in the same minute: two contenders are compared within each round.
 *
 * <p>The rounds of one JVM are not independent: the compiler's luck, good for one percent, lasts as long as the JVM. If
 * there were several JVMs, each counts as one observation, the median of its rounds.
 */
public final class Rounds {

    /**
     * What a contender did in its turn.
     *
     * @param wall for each second on the clock
     * @param cpu for each second of CPU time
     */
    public record Rate(double wall, double cpu) {}

    private record Turn(int jvm, Rate rate) {}

    private final Map<String, List<Turn>> turns = new LinkedHashMap<>();

    private int jvm;

    /** Adds a contender's turn in its next round. */
    public void add(String contender, Rate rate) {
        turns.computeIfAbsent(contender, name -> new ArrayList<>()).add(new Turn(jvm, rate));
    }

    /** The next rounds come from another JVM. */
    void nextJvm() {
        jvm++;
    }

    /** Whether a contender took part. */
    public boolean has(String contender) {
        return turns.containsKey(contender);
    }

    /** The median of a contender's rates on the clock. */
    public double rate(String contender) {
        return median(of(contender).stream().map(turn -> turn.rate.wall).toList());
    }

    /** The median of a contender's rates in CPU time. */
    public double cpuRate(String contender) {
        return median(of(contender).stream().map(turn -> turn.rate.cpu).toList());
    }

    /**
     * How many times faster {@code contender} was than {@code other}, over the rounds in which both took their turns.
     */
    public Ratio ratio(String contender, String other) {
        List<Turn> mine = of(contender);
        List<Turn> others = of(other);
        if (mine.size() != others.size()) {
            throw new IllegalStateException("Both must take their turn in each round: " + contender + "=" + mine.size()
                    + " " + other + "=" + others.size());
        }
        return new Ratio(interval(mine, others, Rate::wall), interval(mine, others, Rate::cpu));
    }

    /** A contender's rate on the clock as a multiple of a fixed one. */
    Interval multiple(String contender, double fixed) {
        List<Turn> mine = of(contender);
        List<Turn> steady = mine.stream()
                .map(turn -> new Turn(turn.jvm, new Rate(fixed, fixed)))
                .toList();
        return interval(mine, steady, Rate::wall);
    }

    private List<Turn> of(String contender) {
        List<Turn> known = turns.get(contender);
        if (known == null) {
            throw new IllegalStateException("No turn was measured: contender=" + contender);
        }
        return known;
    }

    private static Interval interval(List<Turn> mine, List<Turn> others, ToDoubleFunction<Rate> rate) {
        Map<Integer, List<Double>> byJvm = new TreeMap<>();
        for (int round = 0; round < mine.size(); round++) {
            double ratio = rate.applyAsDouble(mine.get(round).rate) / rate.applyAsDouble(others.get(round).rate);
            byJvm.computeIfAbsent(mine.get(round).jvm, number -> new ArrayList<>())
                    .add(ratio);
        }
        return Interval.of(
                byJvm.size() == 1
                        ? byJvm.values().iterator().next()
                        : byJvm.values().stream().map(Rounds::median).toList());
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
