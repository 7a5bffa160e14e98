package benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import benchmarks.Rounds.Rate;
import org.junit.jupiter.api.Test;

class RoundsTest {

    private final Rounds rounds = new Rounds();

    @Test
    void comparesWithinEachRound() {
        round(100, 200);
        round(10, 20);
        round(1, 2);

        assertThat(rounds.ratio("ours", "rival").wall()).isEqualTo(Interval.exact(0.5));
    }

    @Test
    void comparesCpuTimesByThemselves() {
        for (int round = 0; round < 3; round++) {
            rounds.add("ours", new Rate(100, 90));
            rounds.add("rival", new Rate(200, 90));
        }

        assertThat(rounds.ratio("ours", "rival")).hasToString("0.50 [0.50, 0.50] cpu 1.00 [1.00, 1.00]");
        assertThat(rounds.rate("ours")).isEqualTo(100);
        assertThat(rounds.cpuRate("ours")).isEqualTo(90);
    }

    @Test
    void countsTheMedianOfEachJvmOnce() {
        for (double luck : new double[] {0.98, 1.0, 1.02}) {
            rounds.nextJvm();
            round(luck, 1);
            round(luck, 1);
            round(luck * 10, 1);
        }
        Rounds medians = new Rounds();
        for (double luck : new double[] {0.98, 1.0, 1.02}) {
            medians.add("ours", new Rate(luck, luck));
            medians.add("rival", new Rate(1, 1));
        }

        assertThat(rounds.ratio("ours", "rival")).isEqualTo(medians.ratio("ours", "rival"));
    }

    @Test
    void comparesWithAFixedRate() {
        round(2, 7);
        round(2, 9);

        assertThat(rounds.multiple("ours", 4)).isEqualTo(Interval.exact(0.5));
    }

    @Test
    void bothMustHaveHadTheirTurns() {
        round(1, 1);
        rounds.add("ours", new Rate(1, 1));

        assertThatThrownBy(() -> rounds.ratio("ours", "rival"))
                .hasMessage("Both must take their turn in each round: ours=2 rival=1");
        assertThatThrownBy(() -> rounds.rate("nobody")).hasMessage("No turn was measured: contender=nobody");
    }

    private void round(double ours, double rival) {
        rounds.add("ours", new Rate(ours, ours));
        rounds.add("rival", new Rate(rival, rival));
    }
}
