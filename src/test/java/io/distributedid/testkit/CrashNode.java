package io.distributedid.testkit;

import io.distributedid.DistributedIds;
import io.distributedid.spi.IdSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/**
 * A process that takes ids until it is killed, and writes each into a mapped file at once, which the kernel keeps
 * whatever becomes of the process.
 */
public final class CrashNode implements AutoCloseable {

    private static final int MOST_IDS = 4_000_000;

    private static final int BURST = 100;

    private static final long PAUSE_NANOS = 1_000_000;

    private final Process process;

    private final MappedIds ids;

    private final Path log;

    private CrashNode(Process process, MappedIds ids, Path log) {
        this.process = process;
        this.ids = ids;
        this.log = log;
    }

    /** Starts a process, which takes ids from then on. */
    public static CrashNode start(Path folder, Map<String, String> settings, String sequence) throws IOException {
        Path file = Files.createTempFile(folder, "crash", ".ids");
        MappedIds ids = MappedIds.of(file, MOST_IDS);
        Path log = folder.resolve(file.getFileName() + ".log");
        Process process = JavaProcess.of("128m", CrashNode.class, settings, sequence, file)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new CrashNode(process, ids, log);
    }

    /** How many ids it has taken. */
    public int taken() {
        return ids.count();
    }

    /** Whether it still runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** What it printed. */
    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGKILL; returns its ids. */
    public LongStream kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
        return ids.all();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process itself. */
    public static void main(String[] args) throws IOException {
        MappedIds ids = MappedIds.of(Path.of(args[2]), MOST_IDS);
        try (DistributedIds all = DistributedIds.create(JavaProcess.settings(args[0]))) {
            IdSource source = all.sequence(args[1]);
            for (int i = 0; i < MOST_IDS; i++) {
                ids.put(i, source.next());
                // The processes that start meanwhile need the processors too.
                if (i % BURST == 0) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
            // It is still there to be killed, however late that is.
            int unused = System.in.read();
        }
    }
}
