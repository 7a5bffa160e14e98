package io.distributedid.testkit;

import io.distributedid.DistributedIds;
import io.distributedid.spi.IdSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.LongBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * A process that takes ids until it is killed, and writes each into a mapped file at once, which the kernel keeps whatever becomes
 * of the process.
 */
public final class CrashNode implements AutoCloseable {

    private static final int MOST_IDS = 4_000_000;

    private final Process process;

    private final LongBuffer ids;

    private final Path log;

    private int known;

    private CrashNode(Process process, LongBuffer ids, Path log) {
        this.process = process;
        this.ids = ids;
        this.log = log;
    }

    /** Starts a process, which takes ids from then on. */
    public static CrashNode start(Path folder, Map<String, String> settings, String sequence) throws IOException {
        Path file = Files.createTempFile(folder, "crash", ".ids");
        LongBuffer ids = map(file);
        Path log = folder.resolve(file.getFileName() + ".log");
        Process process = JavaProcess.of("128m", CrashNode.class, settings, sequence, file)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new CrashNode(process, ids, log);
    }

    private static LongBuffer map(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) MOST_IDS * Long.BYTES);
            return bytes.asLongBuffer();
        }
    }

    /** How many ids it has taken. */
    public int taken() {
        while (known < MOST_IDS && ids.get(known) != 0) {
            known++;
        }
        return known;
    }

    /** Whether it still runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** What it printed. */
    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGKILL; returns its ids. */
    public LongStream kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
        int count = taken();
        return LongStream.range(0, count).map(index -> ids.get((int) index));
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process itself. */
    public static void main(String[] args) throws IOException {
        LongBuffer ids = map(Path.of(args[2]));
        try (DistributedIds all = DistributedIds.create(JavaProcess.settings(args[0]))) {
            IdSource source = all.sequence(args[1]);
            for (int i = 0; i < MOST_IDS; i++) {
                ids.put(i, source.next());
            }
        }
    }
}
