package benchmarks;

import java.util.Locale;

/**
 * The least that a ratio must be.
 *
 * @param least the ratio
 * @param isCpu whether the ratio of CPU times counts, not that of times on the clock
 * @param decidedBy what of the machine decides the ratio, so that it says nothing of our code; empty if the bar is
 *     judged
 */
public record Bar(double least, boolean isCpu, String decidedBy) {

    /** What an interval says about a bar. */
    enum Verdict {
        /** All of it reaches the bar. */
        HELD,
        /** All of it lies below the bar. */
        MISSED,
        /** The interval holds the bar: a longer run, or a quieter machine, would tell. */
        OPEN,
        /** The machine decides. */
        NOT_JUDGED
    }

    /** Judged by the time on the clock. */
    public static Bar ofWall(double least) {
        return new Bar(least, false, "");
    }

    /** Judged by CPU time. */
    public static Bar ofCpu(double least) {
        return new Bar(least, true, "");
    }

    /** Printed, and not judged. */
    public static Bar notJudged(double least, String decidedBy) {
        return new Bar(least, false, decidedBy);
    }

    Verdict verdict(Ratio ratio) {
        return verdict(isCpu ? ratio.cpu() : ratio.wall());
    }

    Verdict verdict(Interval interval) {
        if (!decidedBy.isEmpty()) {
            return Verdict.NOT_JUDGED;
        }
        if (interval.high() < least) {
            return Verdict.MISSED;
        }
        return interval.low() >= least ? Verdict.HELD : Verdict.OPEN;
    }

    /** For example {@code bar 0.95 (cpu) held}. */
    String text(Verdict verdict) {
        String bar =
                String.format(Locale.ROOT, least < 100 ? "bar %.2f" : "bar %.0f", least) + (isCpu ? " (cpu) " : " ");
        return verdict == Verdict.NOT_JUDGED
                ? bar + "not judged, decided by " + decidedBy
                : bar + verdict.name().toLowerCase(Locale.ROOT);
    }
}
