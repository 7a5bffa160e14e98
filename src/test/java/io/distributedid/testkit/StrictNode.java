package io.distributedid.testkit;

import io.distributedid.DistributedIds;
import io.distributedid.IdStandbyException;
import io.distributedid.IdUnavailableException;
import java.io.IOException;
import java.nio.LongBuffer;
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

/**
 * A process whose threads call for ids in strict order until it is stopped or killed, and go on when they are refused.
 * Each call is written into a mapped file at once, which the kernel keeps whatever becomes of the process: its
 * beginning and its end by the monotonic clock of the machine, and its id. The wall clock of the process is set by
 * another.
 */
final class StrictNode implements AutoCloseable {

    static final String SEQUENCE = "orders";

    private static final int MOST_CALLS = 1_000_000;

    private static final int LONGS = 3;

    private static final int THREADS = 2;

    private static final long PAUSE_NANOS = 500_000;

    private static final long PATIENCE_SECONDS = 120;

    private final Process process;

    private final Path log;

    private final LongBuffer calls;

    private final LongBuffer clock;

    private int known;

    private StrictNode(Process process, Path log, LongBuffer calls, LongBuffer clock) {
        this.process = process;
        this.log = log;
        this.calls = calls;
        this.clock = clock;
    }

    static StrictNode start(Path folder, Map<String, String> settings) throws IOException {
        Path calls = Files.createTempFile(folder, "strict", ".calls");
        Path clock = Files.createTempFile(folder, "strict", ".clock");
        LongBuffer mappedCalls = map(calls, MOST_CALLS * LONGS);
        LongBuffer mappedClock = map(clock, 1);
        Path log = folder.resolve(calls.getFileName() + ".log");
        Process process = JavaProcess.of("64m", StrictNode.class, settings, calls, clock)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new StrictNode(process, log, mappedCalls, mappedClock);
    }

    private static LongBuffer map(Path file, int longs) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) longs * Long.BYTES)
                    .asLongBuffer();
        }
    }

    /** How many calls have got an id, less those that a thread has not written yet. */
    int taken() {
        while (known < MOST_CALLS && calls.get(known * LONGS + 2) != 0) {
            known++;
        }
        return known;
    }

    /** Throws if the process has ended by itself. */
    void requireAlive() throws IOException {
        if (!process.isAlive()) {
            throw new AssertionError("The process ended with " + process.exitValue() + ": " + log());
        }
    }

    String log() throws IOException {
        return TestFiles.read(log);
    }

    /** Sets its wall clock this far from the real one. */
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

    /** The calls of a process that is gone. */
    void addTo(CallLedger ledger) {
        String maker = Long.toString(process.pid());
        for (int i = 0; i < MOST_CALLS; i++) {
            long id = calls.get(i * LONGS + 2);
            if (id != 0) {
                ledger.add(new CallLedger.Call(calls.get(i * LONGS), calls.get(i * LONGS + 1), id, maker));
            }
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process itself. */
    public static void main(String[] args) throws Exception {
        LongBuffer written = map(Path.of(args[1]), MOST_CALLS * LONGS);
        LongBuffer shift = map(Path.of(args[2]), 1);
        InstantSource clock = () -> Instant.now().plusMillis(shift.get(0));
        AtomicInteger count = new AtomicInteger();
        DistributedIds ids = DistributedIds.builder()
                .settings(JavaProcess.settings(args[0]))
                .clock(clock)
                .build();
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> call(ids, written, count));
            thread.setDaemon(true);
            thread.start();
        }
        while (System.in.read() >= 0) {
            Thread.onSpinWait();
        }
        ids.close();
    }

    private static void call(DistributedIds ids, LongBuffer written, AtomicInteger count) {
        while (count.get() < MOST_CALLS - THREADS) {
            try {
                long begin = System.nanoTime();
                long id = ids.next(SEQUENCE);
                long end = System.nanoTime();
                int place = count.getAndIncrement() * LONGS;
                written.put(place, begin);
                written.put(place + 1, end);
                // The id comes last: it says that the others are there.
                written.put(place + 2, id);
            } catch (IdStandbyException e) {
                LockSupport.parkNanos(4 * PAUSE_NANOS);
            } catch (IdUnavailableException e) {
                System.out.println(Instant.now() + " " + e.getMessage());
                LockSupport.parkNanos(4 * PAUSE_NANOS);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
