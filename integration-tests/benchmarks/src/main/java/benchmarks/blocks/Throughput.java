package benchmarks.blocks;

import benchmarks.Budget;
import benchmarks.Fork;
import benchmarks.Logs;
import benchmarks.Order;
import benchmarks.Rounds;
import benchmarks.Rounds.Rate;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.runner.CompilerHints;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs JMH methods of one class in turns of a few short iterations, in several JVMs one after the other. JMH would give
 * each method a JVM of its own; the neighbours of a shared machine change faster than that. The methods share no code
 * that could be compiled for one to the disadvantage of another.
 */
public final class Throughput {

    private static final int ITERATION_MILLIS = 60;

    private static final int WARM_UP = 2;

    private static final int MEASURED = 5;

    /** Until everything is compiled; not counted. */
    private static final int FIRST_ROUNDS = 3;

    /**
     * A turn takes this many times its iterations at the most, unless something is wrong: JMH's own work, and a busy
     * machine.
     */
    private static final int SLOWEST = 3;

    private Throughput() {}

    /** Adds rounds of methods of {@link HandOut}, in ids per microsecond over all threads. */
    static void measure(Rounds rounds, List<String> methods, int threads, int forks, int count)
            throws IOException, InterruptedException {
        measure(rounds, HandOut.class, ITERATION_MILLIS, methods, threads, forks, count);
    }

    /**
     * Adds rounds of methods of any class, in its unit, with iterations of any length; fewer rounds if time runs out.
     */
    public static void measure(
            Rounds rounds,
            Class<?> benchmark,
            int iterationMillis,
            List<String> methods,
            int threads,
            int forks,
            int count)
            throws IOException, InterruptedException {
        List<String> options = new ArrayList<>();
        // What JMH tells the compiler in a JVM that it forks itself, so that the method is measured and not the loop
        // around it.
        CompilerHints.addCompilerHints(options);
        options.add("-Djmh.ignoreLock=true");
        Duration time = Duration.ofMillis(
                (long) SLOWEST * iterationMillis * (WARM_UP + MEASURED) * methods.size() * (FIRST_ROUNDS + count));
        for (int fork = 0; fork < forks; fork++) {
            List<String> arguments = new ArrayList<>(List.of(
                    benchmark.getName(),
                    Integer.toString(iterationMillis),
                    Integer.toString(threads),
                    Integer.toString(count),
                    Integer.toString(fork),
                    Long.toString(time.toMillis())));
            arguments.addAll(methods);
            Fork.run(rounds, time, options, Throughput.class, arguments);
        }
    }

    /** The forked JVM: class, length of an iteration, threads, rounds, number of the fork, time, methods. */
    public static void main(String[] args) throws IOException, RunnerException {
        Logs.quiet();
        TimeValue iteration = TimeValue.milliseconds(Integer.parseInt(args[1]));
        int threads = Integer.parseInt(args[2]);
        int count = FIRST_ROUNDS + Integer.parseInt(args[3]);
        Order<String> order = new Order<>(List.of(args).subList(6, args.length), Long.parseLong(args[4]));
        Budget budget = new Budget(Duration.ofMillis(Long.parseLong(args[5])), FIRST_ROUNDS + 1, count);
        for (int round = 0; budget.begins(); round++) {
            for (String method : order.next()) {
                Rate rate = turn(args[0] + "." + method, iteration, threads);
                if (round >= FIRST_ROUNDS) {
                    Fork.print(method, rate);
                }
            }
        }
        System.exit(0);
    }

    /** The median, because an iteration during which the machine was busy otherwise says nothing. */
    private static Rate turn(String method, TimeValue iteration, int threads) throws RunnerException {
        Options options = new OptionsBuilder()
                .include("^" + Pattern.quote(method) + "$")
                .threads(threads)
                .forks(0)
                .warmupIterations(WARM_UP)
                .warmupTime(iteration)
                .measurementIterations(MEASURED)
                .measurementTime(iteration)
                .addProfiler(CpuProfiler.class)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .build();
        List<Rate> rates = new Runner(options)
                .runSingle().getBenchmarkResults().iterator().next().getIterationResults().stream()
                        .map(Throughput::rate)
                        .toList();
        return new Rate(
                median(rates.stream().map(Rate::wall)), median(rates.stream().map(Rate::cpu)));
    }

    private static double median(Stream<Double> values) {
        return values.sorted().skip(MEASURED / 2).findFirst().orElseThrow();
    }

    private static Rate rate(IterationResult iteration) {
        double score = iteration.getPrimaryResult().getScore();
        return new Rate(
                score,
                score / iteration.getSecondaryResults().get(CpuProfiler.CORES).getScore());
    }
}
