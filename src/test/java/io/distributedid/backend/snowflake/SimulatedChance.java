package io.distributedid.backend.snowflake;

import io.distributedid.backend.snowflake.lease.SimulatedClient.Fate;
import java.util.SplittableRandom;

/** Decides what happens in a simulation, by a seed. Times are in microseconds. */
final class SimulatedChance {

    /** From a node to the store, or back: 0.5 ms to 1.5 ms. */
    private static final long LEAST_LATENCY = Simulation.MILLI / 2;

    private static final long HOUR = 60 * Simulation.MINUTE;

    private final SplittableRandom random;

    private final boolean quiet;

    private final long workPause;

    /**
     * Has decided nothing yet.
     *
     * @param quiet without any failure, except for those that a test makes
     * @param workPause between two times at which a node takes ids, on average
     */
    SimulatedChance(long seed, boolean quiet, long workPause) {
        random = new SplittableRandom(seed);
        this.quiet = quiet;
        this.workPause = workPause;
    }

    SplittableRandom random() {
        return random;
    }

    /** From 0 to below this. */
    long below(long bound) {
        return random.nextLong(bound);
    }

    /** As many small as large ones. */
    long logarithmic(long least, long most) {
        return (long) (least * Math.pow((double) most / least, random.nextDouble()));
    }

    long pauseLength() {
        return logarithmic(100 * Simulation.MILLI, 5 * Simulation.MINUTE);
    }

    boolean isPausedBeforeSending() {
        return !quiet && random.nextInt(100) == 0;
    }

    long latency() {
        return LEAST_LATENCY + random.nextLong(2 * LEAST_LATENCY);
    }

    /** A refused connection, or a timeout. */
    long outageLatency() {
        return random.nextBoolean() ? latency() : 2 * Simulation.SECOND;
    }

    Fate fate() {
        int dice = quiet ? 1_000 : random.nextInt(1_000);
        return dice < 10 ? Fate.LOST : dice < 20 ? Fate.LOST_WITH_THE_QUESTION : dice < 25 ? Fate.LATE : Fate.ANSWERED;
    }

    /** Most clocks are right to 50 ms, a few are off by up to 12 s, and one in a hundred by more than is allowed. */
    long skew() {
        int dice = quiet ? 99 : random.nextInt(100);
        long most = dice == 0 ? HOUR : dice < 10 ? 12 * Simulation.SECOND : 50 * Simulation.MILLI;
        return random.nextLong(2 * most) - most;
    }

    int drift() {
        return random.nextInt(200) - 100;
    }

    /** How far a clock jumps. */
    long jump() {
        long by = logarithmic(10 * Simulation.MILLI, 3 * HOUR);
        return random.nextBoolean() ? by : -by;
    }

    long workPause() {
        return random.nextInt(4) == 0 ? random.nextLong(8 * workPause) : Simulation.MILLI;
    }

    /** From one to 4,096, as many few as many; once in a while more than the layout has for so long. */
    int idsAtOnce() {
        return !quiet && random.nextInt(20_000) == 0 ? 500_000 : (int) logarithmic(1, 4_096);
    }
}
