package benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IntervalTest {

    private static final double TRUTH = 0.97;

    private final Random random = new Random(42);

    @Test
    void isTheTIntervalOfLogarithms() {
        Interval interval = Interval.of(List.of(Math.exp(1), Math.exp(2), Math.exp(3)));

        // Mean 2, deviation 1, three values: 2 +- 4.3027 / sqrt(3).
        assertThat(Math.log(interval.middle())).isCloseTo(2, within(1e-9));
        assertThat(Math.log(interval.low())).isCloseTo(2 - 2.48414, within(1e-4));
        assertThat(Math.log(interval.high())).isCloseTo(2 + 2.48414, within(1e-4));
    }

    @Test
    void oneRatioSaysNothingAboutItsNoise() {
        assertThat(Interval.of(List.of(0.5))).hasToString("0.50 [0.00, ...]");
    }

    @Test
    void equalRatiosLeaveNoDoubt() {
        assertThat(Interval.of(List.of(0.97, 0.97, 0.97))).hasToString("0.97 [0.97, 0.97]");
    }

    @Test
    void oneRoundThatWasDisturbedMovesNothing() {
        Interval calm = Interval.of(values(20, () -> 0.99 + 0.02 * random.nextDouble()));
        random.setSeed(42);
        List<Double> disturbed = Stream.concat(
                        values(19, () -> 0.99 + 0.02 * random.nextDouble()).stream(), Stream.of(10.0))
                .toList();

        assertThat(Interval.of(disturbed).middle()).isCloseTo(calm.middle(), within(0.003));
        assertThat(Interval.of(disturbed).high()).isLessThan(1.01);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 6, 14, 40})
    void holdsTheTruthNineteenTimesInTwenty(int rounds) {
        assertThat(coverage(rounds, () -> TRUTH * Math.exp(0.08 * random.nextGaussian())))
                .isBetween(0.935, 0.965);
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 14, 40})
    void holdsTheTruthThoughOneRoundInTenIsDisturbed(int rounds) {
        assertThat(coverage(
                        rounds, () -> TRUTH * Math.exp((random.nextInt(10) == 0 ? 0.8 : 0.08) * random.nextGaussian())))
                .isGreaterThan(0.935);
    }

    @Test
    void ratiosMustBePositive() {
        assertThatThrownBy(() -> Interval.of(List.of(1.0, 0.0)))
                .hasMessage("An interval needs ratios above 0: ratios=[1.0, 0.0]");
        assertThatThrownBy(() -> Interval.of(List.of(Double.NaN))).hasMessageContaining("ratios=[NaN]");
        assertThatThrownBy(() -> Interval.of(List.of())).hasMessageContaining("ratios=[]");
    }

    private double coverage(int rounds, Supplier<Double> ratio) {
        int runs = 4_000;
        long holding = Stream.generate(() -> Interval.of(values(rounds, ratio)))
                .limit(runs)
                .filter(interval -> interval.low() <= TRUTH && TRUTH <= interval.high())
                .count();
        return (double) holding / runs;
    }

    private static List<Double> values(int count, Supplier<Double> value) {
        return Stream.generate(value).limit(count).toList();
    }
}
