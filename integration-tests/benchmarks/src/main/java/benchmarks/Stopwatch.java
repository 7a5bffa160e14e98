package benchmarks;

import benchmarks.Rounds.Rate;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Time on the clock and CPU time of all threads of this process, which the JVM reads in steps of 10 ms. */
public final class Stopwatch {

    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private static final double STEP_SECONDS = 0.01;

    private final long wall = System.nanoTime();

    private final long cpu = SYSTEM.getProcessCpuTime();

    /** Of what was done since the start. */
    public Rate rate(double done) {
        return spent().rate(done);
    }

    /** What went by since the start. */
    public Spent spent() {
        return new Spent((System.nanoTime() - wall) / 1e9, (SYSTEM.getProcessCpuTime() - cpu) / 1e9);
    }

    /**
     * Time that went by.
     *
     * @param seconds on the clock
     * @param cpuSeconds of all threads
     */
    public record Spent(double seconds, double cpuSeconds) {

        /** Of what was done in that time. Less CPU time than can be told counts as the least that can. */
        public Rate rate(double done) {
            return new Rate(done / seconds, done / Math.max(STEP_SECONDS, cpuSeconds));
        }

        /** Both together. */
        public Spent plus(Spent other) {
            return new Spent(seconds + other.seconds, cpuSeconds + other.cpuSeconds);
        }
    }
}
