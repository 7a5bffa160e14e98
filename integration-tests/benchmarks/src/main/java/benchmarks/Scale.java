package benchmarks;

import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/**
 * How long bars are.
 *
 * @param position of a value on the axis
 * @param first position at the beginning of the axis
 * @param last position at its end
 * @param marks values to be shown on it
 */
record Scale(DoubleUnaryOperator position, double first, double last, List<Double> marks) {

    /** Lengths in proportion to values. */
    static Scale proportional(double largest) {
        return new Scale(value -> value, 0, largest, List.of());
    }

    /**
     * The same length more for each power of ten; begins with one that is well below the smallest value. A value of 0
     * has no length.
     */
    static Scale logarithmic(double smallest, double largest) {
        int first = (int) Math.floor(Math.log10(smallest / 2));
        double last = Math.log10(largest);
        List<Double> powers = IntStream.rangeClosed(first, (int) Math.floor(last))
                .mapToObj(power -> Math.pow(10, power))
                .toList();
        return new Scale(Math::log10, first, last, powers);
    }

    /** 0 at the beginning of the axis, 1 at its end. */
    double share(double value) {
        return Math.max(0, (position.applyAsDouble(value) - first) / (last - first));
    }
}
