package benchmarks.http;

import benchmarks.Logs;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A running program. Its folder is deleted when it is closed. */
public final class Server implements AutoCloseable {

    private static final long START_SECONDS = 60;

    private static final long STOP_SECONDS = 20;

    private static final Pattern LISTENS = Pattern.compile("listens at http://127\\.0\\.0\\.1:(\\d+)");

    private static final Set<Process> LIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> LIVE.forEach(Process::destroyForcibly)));
    }

    private final Process process;

    private final Path folder;

    private final int port;

    private Server(Process process, Path folder) throws InterruptedException {
        this.process = process;
        this.folder = folder;
        port = awaitPort(process);
    }

    /** Returns when it listens. */
    public static Server start(List<String> command) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("benchmarks-service");
        Process process = null;
        try {
            Logs.copyTo(folder.resolve(ServerCommand.LOGGING));
            process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            LIVE.add(process);
            return new Server(process, folder);
        } catch (IOException | InterruptedException | RuntimeException e) {
            if (process != null) {
                kill(process);
                LIVE.remove(process);
            }
            delete(folder);
            throw e;
        }
    }

    private static int awaitPort(Process process) throws InterruptedException {
        String command = process.info().commandLine().orElse("");
        try {
            return CompletableFuture.supplyAsync(() -> readPort(process)).get(START_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "A server did not start. Were it and the contender with Spring Boot built? " + command,
                    e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException(
                    "A server did not listen within " + START_SECONDS + " s of its start: " + command, e);
        }
    }

    private static int readPort(Process process) {
        // Not closed: the process goes on and may say more.
        BufferedReader lines = process.inputReader();
        return lines.lines()
                .map(LISTENS::matcher)
                .filter(Matcher::find)
                .map(found -> Integer.parseInt(found.group(1)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("It ended and did not say where it listens"));
    }

    /** Where it listens. */
    public String url() {
        return "http://127.0.0.1:" + port;
    }

    /** For the JVM that sends requests. */
    public Target target() {
        return new Target(port, process.pid());
    }

    /**
     * Sends SIGTERM, and does not wait.
     *
     * @return when the process was gone, by {@link System#nanoTime}
     */
    public CompletableFuture<Long> terminate() {
        process.destroy();
        return process.onExit().thenApply(ended -> System.nanoTime());
    }

    /** Sends SIGKILL. Returns when the process is gone. */
    public void kill() {
        kill(process);
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                kill(process);
            }
        } catch (InterruptedException e) {
            kill(process);
            Thread.currentThread().interrupt();
        }
        LIVE.remove(process);
        delete(folder);
    }

    /** Returns when it writes nothing more. */
    private static void kill(Process process) {
        process.destroyForcibly().onExit().join();
    }

    private static void delete(Path folder) throws IOException {
        List<Path> paths;
        try (Stream<Path> all = Files.walk(folder)) {
            paths = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : paths) {
            Files.delete(path);
        }
    }
}
