package benchmarks;

import java.util.Locale;

/**
 * The least that a ratio must be, or the most that it may be.
 *
 * @param limit the ratio
 * @param isMost whether a ratio must not be greater; else it must not be smaller
 * @param isCpu whether the ratio of CPU times counts, not that of times on the clock
 * @param decidedBy what of the machine decides the ratio, so that it says nothing of our code; empty if the bar is
 *     judged
 */
public record Bar(double limit, boolean isMost, boolean isCpu, String decidedBy) {

    /** What an interval says about a bar. */
    enum Verdict {
        /** All of it reaches the bar. */
        HELD,
        /** The whole interval misses the bar. */
        MISSED,
        /** The interval holds the bar: a longer run, or a quieter machine, would tell. */
        OPEN,
        /** The machine decides. */
        NOT_JUDGED
    }

    /** At least so much, judged by the time on the clock. */
    public static Bar ofWall(double least) {
        return new Bar(least, false, false, "");
    }

    /** At least so much, judged by CPU time. */
    public static Bar ofCpu(double least) {
        return new Bar(least, false, true, "");
    }

    /** At most so much, judged by the time on the clock. */
    public static Bar atMost(double most) {
        return new Bar(most, true, false, "");
    }

    /** Printed, and not judged. */
    public static Bar notJudged(double least, String decidedBy) {
        return new Bar(least, false, false, decidedBy);
    }

    Verdict verdict(Ratio ratio) {
        return verdict(isCpu ? ratio.cpu() : ratio.wall());
    }

    Verdict verdict(Interval interval) {
        if (!decidedBy.isEmpty()) {
            return Verdict.NOT_JUDGED;
        }
        if (isMost ? interval.low() > limit : interval.high() < limit) {
            return Verdict.MISSED;
        }
        boolean isReached = isMost ? interval.high() <= limit : interval.low() >= limit;
        return isReached ? Verdict.HELD : Verdict.OPEN;
    }

    /** For example {@code bar 0.95 (cpu) held}, or {@code bar at most 2.00 held}. */
    String text(Verdict verdict) {
        String bar = (isMost ? "bar at most " : "bar ")
                + String.format(Locale.ROOT, limit < 100 ? "%.2f" : "%.0f", limit)
                + (isCpu ? " (cpu) " : " ");
        return verdict == Verdict.NOT_JUDGED
                ? bar + "not judged, decided by " + decidedBy
                : bar + verdict.name().toLowerCase(Locale.ROOT);
    }
}
