package benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import benchmarks.Bar.Verdict;
import org.junit.jupiter.api.Test;

class BarTest {

    private final Bar bar = Bar.ofWall(0.95);

    @Test
    void isMissedOnlyIfTheWholeIntervalIsBelow() {
        assertThat(bar.verdict(new Interval(0.80, 0.90, 0.949))).isEqualTo(Verdict.MISSED);
        assertThat(bar.verdict(new Interval(0.80, 0.90, 0.95))).isEqualTo(Verdict.OPEN);
    }

    @Test
    void isHeldOnlyIfTheWholeIntervalReachesIt() {
        assertThat(bar.verdict(new Interval(0.95, 1.00, 1.05))).isEqualTo(Verdict.HELD);
        assertThat(bar.verdict(new Interval(0.949, 1.00, 1.05))).isEqualTo(Verdict.OPEN);
    }

    @Test
    void mayBeTheMost() {
        Bar most = Bar.atMost(2);

        assertThat(most.verdict(new Interval(1.5, 1.8, 2.0))).isEqualTo(Verdict.HELD);
        assertThat(most.verdict(new Interval(1.5, 1.8, 2.1))).isEqualTo(Verdict.OPEN);
        assertThat(most.verdict(new Interval(2.0, 2.5, 3.0))).isEqualTo(Verdict.OPEN);
        assertThat(most.verdict(new Interval(2.1, 2.5, 3.0))).isEqualTo(Verdict.MISSED);
        assertThat(most.text(Verdict.MISSED)).isEqualTo("bar at most 2.00 missed");
    }

    @Test
    void judgesTheTimeThatItIsFor() {
        Ratio ratio = new Ratio(Interval.exact(1.0), Interval.exact(0.9));

        assertThat(Bar.ofWall(0.95).verdict(ratio)).isEqualTo(Verdict.HELD);
        assertThat(Bar.ofCpu(0.95).verdict(ratio)).isEqualTo(Verdict.MISSED);
    }

    @Test
    void isNotJudgedIfTheMachineDecides() {
        assertThat(Bar.notJudged(6, "the disk").verdict(Interval.exact(1))).isEqualTo(Verdict.NOT_JUDGED);
    }
}
