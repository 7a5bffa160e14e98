package benchmarks.blocks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * How many cores all Java threads used together during an iteration. The process's own CPU time is read in steps of 10
 * ms: too coarse for iterations that short.
 */
public final class CpuProfiler implements InternalProfiler {

    static final String CORES = "cores";

    private static final double LEAST = 1e-3;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    private Map<Long, Long> before = Map.of();

    private long start;

    /** For JMH. */
    public CpuProfiler() {}

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = times();
        start = System.nanoTime();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        long wall = System.nanoTime() - start;
        long cpu = times().entrySet().stream()
                .mapToLong(time -> time.getValue() - before.getOrDefault(time.getKey(), 0L))
                .sum();
        double cores = Math.max(LEAST, (double) cpu / wall);
        return List.of(new ScalarResult(CORES, cores, "cores", AggregationPolicy.AVG));
    }

    private Map<Long, Long> times() {
        Map<Long, Long> times = new HashMap<>();
        for (long id : threads.getAllThreadIds()) {
            // -1 of a thread that has ended.
            times.put(id, Math.max(0, threads.getThreadCpuTime(id)));
        }
        return times;
    }

    @Override
    public String getDescription() {
        return "CPU time of all Java threads";
    }
}
