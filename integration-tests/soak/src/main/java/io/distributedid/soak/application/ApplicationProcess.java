package io.distributedid.soak.application;

import io.distributedid.soak.application.Board.Field;
import io.distributedid.soak.ledger.Entry;
import io.distributedid.soak.ledger.EntryReader;
import io.distributedid.testkit.JavaProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

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
     * @param library the jar of another version of the library; else the tested one
     */
    public static ApplicationProcess start(
            Path folder, int number, int counters, int threads, Map<String, String> settings, Optional<Path> library)
            throws IOException {
        Board board = new Board(board(folder, number));
        ProcessBuilder builder = JavaProcess.of("96m", Application.class, settings, folder, number, counters, threads);
        library.ifPresent(jar -> OtherLibrary.give(builder, jar));
        Process process = builder.redirectErrorStream(true)
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
    public void pause() throws IOException {
        JavaProcess.signal("STOP", process.pid());
    }

    /** SIGCONT. */
    public void resume() throws IOException {
        JavaProcess.signal("CONT", process.pid());
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
                    + JavaProcess.state(process) + ". It printed: " + log());
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
