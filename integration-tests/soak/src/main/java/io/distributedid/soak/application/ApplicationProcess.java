package io.distributedid.soak.application;

import io.distributedid.soak.application.Board.Field;
import io.distributedid.soak.ledger.Entry;
import io.distributedid.soak.ledger.EntryReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A process of an {@link Application}. What still runs when this JVM ends is killed. */
public final class ApplicationProcess implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 120;

    private static final Set<Process> LIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> LIVE.forEach(Process::destroyForcibly)));
    }

    private final Path folder;

    private final int number;

    private final Board board;

    private final Process process;

    private volatile boolean wasKilled;

    private ApplicationProcess(Path folder, int number, Board board, Process process) {
        this.folder = folder;
        this.number = number;
        this.board = board;
        this.process = process;
    }

    /**
     * Starts one.
     *
     * @param folder of the ledger
     * @param number of no other process
     * @param counters how many servers count for themselves
     */
    public static ApplicationProcess start(
            Path folder, int number, int counters, int threads, Map<String, String> settings) throws IOException {
        Board board = new Board(board(folder, number));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Application.class.getName(),
                folder.toString(),
                Integer.toString(number),
                Integer.toString(counters),
                Integer.toString(threads),
                settings.entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue())
                        .collect(Collectors.joining("\n"))));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(number + ".log").toFile())
                .start();
        LIVE.add(process);
        process.onExit().thenRun(() -> LIVE.remove(process));
        return new ApplicationProcess(folder, number, board, process);
    }

    static Path board(Path folder, int number) {
        return folder.resolve(number + ".board");
    }

    public int number() {
        return number;
    }

    public Board board() {
        return board;
    }

    /** When it had no processor for long, each as an entry without ids. */
    public List<Entry> standstills() throws IOException {
        Path file = Heartbeat.file(folder, number);
        return Files.exists(file) ? EntryReader.all(file) : List.of();
    }

    /** Why its calls were refused, by the number of the reason. */
    public List<String> reasons() throws IOException {
        return Reasons.of(folder, number);
    }

    /** Whether it had no time to hand anything back. */
    public boolean wasKilled() {
        return wasKilled;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** The end of what it printed. */
    public String log() throws IOException {
        String all = new String(Files.readAllBytes(folder.resolve(number + ".log")), StandardCharsets.ISO_8859_1);
        return all.substring(Math.max(0, all.length() - 4_000));
    }

    /** Sets its clock this far from the real one. */
    public void setClock(long millis) {
        board.set(Field.CLOCK_MILLIS, millis);
    }

    /** Tells it that it was resumed from a snapshot. */
    public void beginAnew() throws IOException {
        OutputStream in = process.getOutputStream();
        in.write("anew\n".getBytes(StandardCharsets.US_ASCII));
        in.flush();
    }

    /** SIGSTOP. */
    public void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** SIGCONT. */
    public void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        // A shell has kill built in.
        int exitCode = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                .inheritIO()
                .start()
                .waitFor();
        if (exitCode != 0) {
            throw new IOException("No signal " + name + " to process " + process.pid() + ": exitCode=" + exitCode);
        }
    }

    /** SIGKILL; returns when the process is gone. */
    public void kill9() throws InterruptedException {
        wasKilled = true;
        process.destroyForcibly().waitFor();
    }

    /** Lets it end in good order. */
    public void stop() throws IOException, InterruptedException {
        process.getOutputStream().close();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IllegalStateException("Application " + number + " did not stop in good order: "
                    + (process.isAlive() ? "it still runs" : "exit code " + process.exitValue()) + ". It printed: "
                    + log());
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
