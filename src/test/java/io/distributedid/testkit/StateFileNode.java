package io.distributedid.testkit;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A process that takes ids until it is killed, and goes on when it is refused. It writes each id into a mapped file at
 * once, which the kernel keeps whatever becomes of the process. Told to, it reads every file of a folder: by that it
 * loses its locks on them.
 */
public final class StateFileNode implements AutoCloseable {

    private static final int MOST_IDS = 2_000_000;

    private static final long PAUSE_NANOS = 20_000;

    private static final String LOCKS_LOST = "The files were read";

    private final Process process;

    private final MappedIds ids;

    private final Path log;

    private StateFileNode(Process process, MappedIds ids, Path log) {
        this.process = process;
        this.ids = ids;
        this.log = log;
    }

    /** Starts a process; it reads the files of a folder when it is told to. */
    public static StateFileNode start(Path folder, Map<String, String> settings, Path read) throws IOException {
        Path ids = Files.createTempFile(folder, "node", ".ids");
        Path log = folder.resolve(ids.getFileName() + ".log");
        MappedIds mapped = MappedIds.of(ids, MOST_IDS);
        Process process = JavaProcess.of("64m", StateFileNode.class, settings, ids, read)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new StateFileNode(process, mapped, log);
    }

    /** How many ids it has taken. */
    public int taken() {
        return ids.count();
    }

    /** What it printed. */
    public String log() throws IOException {
        return Files.readString(log);
    }

    /** Lets it read the files, which it will have done when this returns. */
    public void loseLocks() throws IOException {
        process.getOutputStream().write("read\n".getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        Await.until("the node has read the files", () -> log().contains(LOCKS_LOST) || !process.isAlive(), this::log);
    }

    /** SIGSTOP, SIGCONT and the like. */
    public void signal(String name) throws IOException {
        JavaProcess.signal(name, process.pid());
    }

    /** SIGKILL; returns its ids. */
    public long[] kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
        return ids.all().toArray();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process itself. */
    public static void main(String[] args) throws Exception {
        MappedIds written = MappedIds.of(Path.of(args[1]), MOST_IDS);
        DistributedIds ids = DistributedIds.create(JavaProcess.settings(args[0]));
        Thread taker = new Thread(() -> take(ids, written));
        taker.setDaemon(true);
        taker.start();
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (orders.readLine() != null) {
            try (Stream<Path> files = Files.list(Path.of(args[2]))) {
                for (Path file : files.toList()) {
                    if (Files.exists(file)) {
                        byte[] unused = Files.readAllBytes(file);
                    }
                }
            }
            System.out.println(LOCKS_LOST);
        }
    }

    private static void take(DistributedIds ids, MappedIds written) {
        int count = 0;
        while (count < MOST_IDS) {
            try {
                written.put(count, ids.next("photos"));
                count++;
            } catch (IdUnavailableException e) {
                System.out.println("refused: " + e.getMessage());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
