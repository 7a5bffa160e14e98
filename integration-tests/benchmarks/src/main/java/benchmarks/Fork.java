package benchmarks;

import benchmarks.Rounds.Rate;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A JVM of its own for some rounds: its main class {@link #print prints} each turn, in the order of rounds. */
public final class Fork {

    private static final String TURN = "TURN";

    private static final Path HOME = Path.of(System.getProperty("java.home"));

    /** For its start, and for the round in which its time ends. */
    private static final Duration GRACE = Duration.ofSeconds(90);

    private Fork() {}

    /**
     * Adds the rounds of one JVM.
     *
     * @param time within which it begins rounds; it is killed if it does not end a while after that
     * @param options of the JVM
     * @param main prints turns
     */
    public static void run(Rounds rounds, Duration time, List<String> options, Class<?> main, List<String> arguments)
            throws IOException, InterruptedException {
        run(rounds, time, options, main, arguments, line -> {});
    }

    /**
     * As above.
     *
     * @param others takes each printed line that is no turn
     */
    public static void run(
            Rounds rounds,
            Duration time,
            List<String> options,
            Class<?> main,
            List<String> arguments,
            Consumer<String> others)
            throws IOException, InterruptedException {
        rounds.nextJvm();
        lines(HOME, time, options, main, arguments, line -> add(line, rounds, others));
    }

    /**
     * Adds the rounds of one JVM with a class path of its own, whose main class prints turns as {@link #print} does.
     *
     * @param classPath folders and jars
     * @param main a class there
     */
    public static void run(
            Rounds rounds, Duration time, List<String> options, String classPath, String main, List<String> arguments)
            throws IOException, InterruptedException {
        rounds.nextJvm();
        lines(HOME, time, options, classPath, main, arguments, line -> add(line, rounds, other -> {}));
    }

    private static void add(String line, Rounds rounds, Consumer<String> others) {
        String[] words = line.split(" ", -1);
        if (words[0].equals(TURN)) {
            rounds.add(words[1], new Rate(Double.parseDouble(words[2]), Double.parseDouble(words[3])));
        } else {
            others.accept(line);
        }
    }

    /**
     * Runs a JVM with the class path of this one.
     *
     * @param javaHome of the JDK
     * @param time as above
     * @param options as above
     * @param each takes each printed line
     */
    public static void lines(
            Path javaHome,
            Duration time,
            List<String> options,
            Class<?> main,
            List<String> arguments,
            Consumer<String> each)
            throws IOException, InterruptedException {
        lines(javaHome, time, options, System.getProperty("java.class.path"), main.getName(), arguments, each);
    }

    private static void lines(
            Path javaHome,
            Duration time,
            List<String> options,
            String classPath,
            String main,
            List<String> arguments,
            Consumer<String> each)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(javaHome.resolve("bin/java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, main));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        process.onExit()
                .completeOnTimeout(null, time.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS)
                .thenAccept(ended -> {
                    if (ended == null) {
                        process.destroyForcibly();
                    }
                });
        try (BufferedReader lines = process.inputReader()) {
            lines.lines().forEach(each);
        }
        if (process.waitFor() != 0) {
            throw new IllegalStateException("A measuring JVM failed, or did not end within " + time.plus(GRACE) + ": "
                    + main + " " + String.join(" ", arguments));
        }
    }

    /** In the JVM that measures. */
    public static void print(String contender, Rate rate) {
        System.out.println(TURN + " " + contender + " " + rate.wall() + " " + rate.cpu());
    }
}
