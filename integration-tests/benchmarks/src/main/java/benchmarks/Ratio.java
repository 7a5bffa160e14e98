package benchmarks;

/**
 * How many times faster one contender is than another.
 *
 * @param wall by the time on the clock
 * @param cpu by the CPU time that they used
 */
public record Ratio(Interval wall, Interval cpu) {

    /** For example {@code 0.97 [0.94, 1.01] cpu 0.98 [0.96, 1.00]}. */
    @Override
    public String toString() {
        return wall + " cpu " + cpu;
    }
}
