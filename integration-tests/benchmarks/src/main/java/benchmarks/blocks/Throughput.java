package benchmarks.blocks;

import benchmarks.Rounds;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.runner.CompilerHints;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs JMH methods of one class in turns of a few short iterations, in several JVMs one after the other. JMH would give each
 * method a JVM of its own; the neighbours of a shared machine change faster than that. The methods share no code that could
 * be compiled for one to the disadvantage of another.
 */
public final class Throughput {

    private static final int ITERATION_MILLIS = 60;

    private static final int WARM_UP = 2;

    private static final int MEASURED = 5;

    /** Until everything is compiled; not counted. */
    private static final int FIRST_ROUNDS = 3;

    private Throughput() {}

    /** Adds rounds of methods of {@link HandOut}, in ids per microsecond over all threads. */
    static void measure(Rounds rounds, List<String> methods, int threads, int forks, int count)
            throws IOException, InterruptedException {
        measure(rounds, HandOut.class, ITERATION_MILLIS, methods, threads, forks, count);
    }

    /** Adds rounds of methods of any class, in its unit, with iterations of any length. */
    public static void measure(
            Rounds rounds,
            Class<?> benchmark,
            int iterationMillis,
            List<String> methods,
            int threads,
            int forks,
            int count)
            throws IOException, InterruptedException {
        List<String> what = new ArrayList<>(List.of(
                benchmark.getName(),
                Integer.toString(iterationMillis),
                Integer.toString(threads),
                Integer.toString(count)));
        what.addAll(methods);
        for (int fork = 0; fork < forks; fork++) {
            Process process = new ProcessBuilder(command(what))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (BufferedReader lines = process.inputReader()) {
                lines.lines()
                        .map(line -> line.split(" ", -1))
                        .filter(words -> methods.contains(words[0]))
                        .forEach(words -> rounds.add(words[0], Double.parseDouble(words[1])));
            }
            if (process.waitFor() != 0) {
                throw new IllegalStateException("A measuring JVM failed: " + process.info());
            }
        }
    }

    private static List<String> command(List<String> what) {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + "/bin/java");
        // What JMH tells the compiler in a JVM that it forks itself, so that the method is measured and not the loop
        // around it.
        CompilerHints.addCompilerHints(command);
        command.add("-Djmh.ignoreLock=true");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Throughput.class.getName()));
        command.addAll(what);
        return command;
    }

    /** The forked JVM: class, length of an iteration, threads, rounds, methods. */
    public static void main(String[] args) throws RunnerException {
        TimeValue iteration = TimeValue.milliseconds(Integer.parseInt(args[1]));
        int threads = Integer.parseInt(args[2]);
        int count = FIRST_ROUNDS + Integer.parseInt(args[3]);
        for (int round = 0; round < count; round++) {
            for (String method : List.of(args).subList(4, args.length)) {
                double score = turn(args[0] + "." + method, iteration, threads);
                if (round >= FIRST_ROUNDS) {
                    System.out.println(method + " " + score);
                }
            }
        }
        System.exit(0);
    }

    /** The median, because an iteration during which the machine was busy otherwise says nothing. */
    private static double turn(String method, TimeValue iteration, int threads) throws RunnerException {
        Options options = new OptionsBuilder()
                .include("^" + Pattern.quote(method) + "$")
                .threads(threads)
                .forks(0)
                .warmupIterations(WARM_UP)
                .warmupTime(iteration)
                .measurementIterations(MEASURED)
                .measurementTime(iteration)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .build();
        return new Runner(options)
                .runSingle().getBenchmarkResults().iterator().next().getIterationResults().stream()
                        .mapToDouble(Throughput::score)
                        .sorted()
                        .skip(MEASURED / 2)
                        .findFirst()
                        .orElseThrow();
    }

    private static double score(IterationResult iteration) {
        return iteration.getPrimaryResult().getScore();
    }
}
