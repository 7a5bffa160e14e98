package io.distributedid.testkit;

import io.distributedid.DistributedIds;
import io.distributedid.KeyedSequence;
import java.io.IOException;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process whose threads take numbers of a few keys until it is killed. Each call is written into a mapped file at
 * once, which the kernel keeps whatever becomes of the process: its beginning and its end by the monotonic clock of the
 * machine, its key and its number.
 */
final class KeyedNode implements AutoCloseable {

    private static final int MOST_CALLS = 500_000;

    private static final int LONGS = 4;

    private static final int THREADS = 3;

    private final Process process;

    private final Path log;

    private final LongBuffer calls;

    private KeyedNode(Process process, Path log, LongBuffer calls) {
        this.process = process;
        this.log = log;
        this.calls = calls;
    }

    /** Starts a process, which takes numbers of the keys 0 to {@code keys - 1} from then on. */
    static KeyedNode start(Path folder, Map<String, ?> settings, String sequence, int keys) throws IOException {
        Path calls = Files.createTempFile(folder, "keyed", ".calls");
        LongBuffer mapped = map(calls);
        Path log = folder.resolve(calls.getFileName() + ".log");
        Process process = JavaProcess.of("64m", KeyedNode.class, PatientSettings.of(settings), calls, sequence, keys)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new KeyedNode(process, log, mapped);
    }

    private static LongBuffer map(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) MOST_CALLS * LONGS * Long.BYTES)
                    .asLongBuffer();
        }
    }

    /** Waits until a call has got a number at this place. */
    void awaitCalls(int count) {
        Await.until(
                "the node has taken " + count + " numbers",
                () -> {
                    if (!process.isAlive()) {
                        throw new AssertionError("The node ended: " + TestFiles.read(log));
                    }
                    return calls.get((count - 1) * LONGS + 3) != 0;
                },
                () -> TestFiles.read(log));
    }

    /** Sends a signal, such as STOP. */
    void signal(String name) throws IOException, InterruptedException {
        int unused = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Its calls so far, each to the ledger of its key. */
    void addTo(CallLedger[] ledgers) {
        String maker = Long.toString(process.pid());
        for (int i = 0; i < MOST_CALLS; i++) {
            long number = calls.get(i * LONGS + 3);
            if (number != 0) {
                ledgers[(int) calls.get(i * LONGS + 2)].add(
                        new CallLedger.Call(calls.get(i * LONGS), calls.get(i * LONGS + 1), number, maker));
            }
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process itself. */
    public static void main(String[] args) throws Exception {
        LongBuffer written = map(Path.of(args[1]));
        int keys = Integer.parseInt(args[3]);
        AtomicInteger count = new AtomicInteger();
        try (DistributedIds ids = DistributedIds.create(JavaProcess.settings(args[0]))) {
            KeyedSequence numbers = ids.keyed(args[2]);
            Together.run(THREADS, thread -> {
                for (int i = count.getAndIncrement(); i < MOST_CALLS; i = count.getAndIncrement()) {
                    long begin = System.nanoTime();
                    long number = numbers.next(i % keys);
                    written.put(i * LONGS, begin);
                    written.put(i * LONGS + 1, System.nanoTime());
                    written.put(i * LONGS + 2, i % keys);
                    // The number comes last: it says that the others are there.
                    written.put(i * LONGS + 3, number);
                }
                return true;
            });
            // It is still there to be killed, however late that is.
            int unused = System.in.read();
        }
    }
}
