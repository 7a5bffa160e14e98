package io.distributedid.testkit;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import java.io.IOException;
import java.nio.LongBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/**
 * A process that takes ids with two threads, at a gentle pace, until it is stopped or killed, and goes on when it is
 * refused. It writes each id into a mapped file at once, which the kernel keeps whatever becomes of the process. Its
 * clock is set by another.
 */
final class LeaseNode implements AutoCloseable {

    private static final int MOST_IDS = 2_000_000;

    private static final int THREADS = 2;

    private static final long PAUSE_NANOS = 1_000_000;

    private static final long PATIENCE_SECONDS = 120;

    private final Process process;

    private final Path log;

    private final LongBuffer ids;

    private final LongBuffer clock;

    private int known;

    private LeaseNode(Process process, Path log, LongBuffer ids, LongBuffer clock) {
        this.process = process;
        this.log = log;
        this.ids = ids;
        this.clock = clock;
    }

    static LeaseNode start(Path folder, Map<String, String> settings) throws IOException {
        Path ids = Files.createTempFile(folder, "lease", ".ids");
        Path clock = Files.createTempFile(folder, "lease", ".clock");
        LongBuffer mappedIds = map(ids, MOST_IDS);
        LongBuffer mappedClock = map(clock, 1);
        Path log = folder.resolve(ids.getFileName() + ".log");
        Process process = JavaProcess.of("64m", LeaseNode.class, settings, ids, clock)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new LeaseNode(process, log, mappedIds, mappedClock);
    }

    private static LongBuffer map(Path file, int longs) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) longs * Long.BYTES);
            return bytes.asLongBuffer();
        }
    }

    /** How many ids it has taken, less those that a thread has not written yet. */
    int taken() {
        while (known < MOST_IDS && ids.get(known) != 0) {
            known++;
        }
        return known;
    }

    /** Returns when it has taken so many more. */
    void awaitMore(int count) {
        int before = taken();
        Await.until(
                "a process has taken " + count + " more ids",
                () -> {
                    if (!process.isAlive()) {
                        throw new AssertionError("The process ended with " + process.exitValue() + ": " + log());
                    }
                    return taken() >= before + count;
                },
                () -> taken() - before + "; it printed: " + log());
    }

    private String log() throws IOException {
        return TestFiles.read(log);
    }

    /** Sets its clock this far from the real one. */
    void shift(long millis) {
        clock.put(0, millis);
    }

    void signal(String name) throws IOException {
        JavaProcess.signal(name, process.pid());
    }

    /** Lets it stop cleanly. */
    void stop() throws IOException, InterruptedException {
        process.getOutputStream().close();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IllegalStateException(
                    "The node did not stop cleanly: " + JavaProcess.state(process) + ". It printed: " + log());
        }
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Those of a process that is gone. */
    long[] ids() {
        return LongStream.range(0, MOST_IDS)
                .map(index -> ids.get((int) index))
                .filter(id -> id != 0)
                .toArray();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process itself. */
    public static void main(String[] args) throws Exception {
        LongBuffer written = map(Path.of(args[1]), MOST_IDS);
        LongBuffer shift = map(Path.of(args[2]), 1);
        InstantSource clock = () -> Instant.now().plusMillis(shift.get(0));
        AtomicInteger count = new AtomicInteger();
        DistributedIds ids = DistributedIds.builder()
                .settings(JavaProcess.settings(args[0]))
                .clock(clock)
                .build();
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> take(ids, written, count));
            thread.setDaemon(true);
            thread.start();
        }
        while (System.in.read() >= 0) {
            Thread.onSpinWait();
        }
        ids.close();
    }

    private static void take(DistributedIds ids, LongBuffer written, AtomicInteger count) {
        while (count.get() < MOST_IDS - THREADS) {
            try {
                long id = ids.next("faults");
                written.put(count.getAndIncrement(), id);
            } catch (IdUnavailableException e) {
                System.out.println(Instant.now() + " " + e.getMessage());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
