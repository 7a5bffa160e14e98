package benchmarks.service;

import java.util.Arrays;

/** How long requests took. */
final class Times {

    private final long[] sorted;

    /** @param nanos at least one */
    Times(long[] nanos) {
        if (nanos.length == 0) {
            throw new IllegalArgumentException("Percentiles need a time: nanos=[]");
        }
        sorted = nanos.clone();
        Arrays.sort(sorted);
    }

    /**
     * The shortest time that so many requests did not exceed.
     *
     * @param share of all requests; 0.99 for p99, 1 for the longest time
     */
    double millis(double share) {
        return sorted[(int) Math.max(0, Math.ceil(share * sorted.length) - 1)] / 1e6;
    }
}
