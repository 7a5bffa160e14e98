package io.distributedid.testkit;

import io.distributedid.DistributedIds;
import io.distributedid.KeyedSequence;
import java.io.IOException;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A process whose threads take numbers of a few keys until it is killed. Each call is written into a mapped file at
 * once, which the kernel keeps whatever becomes of the process: its beginning and its end by the monotonic clock of the
 * machine, its key and its number.
 */
final class KeyedNode implements AutoCloseable {

    private static final int MOST_CALLS = 500_000;

    private static final int LONGS = 4;

    /** The processes that start meanwhile need the processors too. */
    private static final long PAUSE_NANOS = 1_000_000;

    private static final int THREADS = 3;

    /** The numbers that were taken in transactions; the library does not know it. */
    static final String ROWS = "numbered";

    private final Process process;

    private final Path log;

    private final LongBuffer calls;

    private int known;

    private KeyedNode(Process process, Path log, LongBuffer calls) {
        this.process = process;
        this.log = log;
        this.calls = calls;
    }

    /** Starts a process, which takes numbers of the keys 0 to {@code keys - 1} from then on. */
    static KeyedNode start(Path folder, Map<String, ?> settings, String sequence, int keys) throws IOException {
        return start(folder, settings, sequence, keys, "");
    }

    /**
     * As above, without gaps: each number is taken in a transaction that inserts it with its key into the table
     * {@link #ROWS}. Some transactions are rolled back. A call is there once its transaction is committed for certain.
     *
     * @param url of the database, which has the tables
     */
    static KeyedNode startGapless(Path folder, String url, String sequence, int keys) throws IOException {
        return start(folder, Map.of(), sequence, keys, url);
    }

    private static KeyedNode start(Path folder, Map<String, ?> settings, String sequence, int keys, String url)
            throws IOException {
        Path calls = Files.createTempFile(folder, "keyed", ".calls");
        LongBuffer mapped = map(calls);
        Path log = folder.resolve(calls.getFileName() + ".log");
        Process process = JavaProcess.of(
                        "64m", KeyedNode.class, PatientSettings.of(settings), calls, sequence, keys, url)
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

    /** Waits until so many calls have got a number. */
    void awaitCalls(int count) {
        Await.until(
                "the node has taken " + count + " numbers",
                () -> {
                    if (!process.isAlive()) {
                        throw new AssertionError("The node ended: " + TestFiles.read(log));
                    }
                    return taken() >= count;
                },
                () -> taken() + "; it printed: " + TestFiles.read(log));
    }

    /** As above, from now on. */
    void awaitMore(int count) {
        awaitCalls(taken() + count);
    }

    /** How many calls have got a number, less those that a thread has not written yet. */
    private int taken() {
        while (known < MOST_CALLS && calls.get(known * LONGS + 3) != 0) {
            known++;
        }
        return known;
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

    /** Takes a number of a key, or returns 0 if there is none, and the next try is a call of its own. */
    @FunctionalInterface
    private interface Take {
        long number(int key) throws InterruptedException;
    }

    /** The process itself. */
    public static void main(String[] args) throws Exception {
        LongBuffer written = map(Path.of(args[1]));
        int keys = Integer.parseInt(args[3]);
        AtomicInteger count = new AtomicInteger();
        try (DistributedIds ids = SectionPlace.serving(JavaProcess.settings(args[0]))) {
            KeyedSequence numbers = ids.keyed(args[2]);
            Together.run(THREADS, thread -> {
                Take take = args[4].isEmpty() ? numbers::next : new Transactions(numbers, args[4])::number;
                for (int i = count.getAndIncrement(); i < MOST_CALLS; i = count.getAndIncrement()) {
                    long begin = System.nanoTime();
                    long number = take.number(i % keys);
                    while (number == 0) {
                        begin = System.nanoTime();
                        number = take.number(i % keys);
                    }
                    written.put(i * LONGS, begin);
                    written.put(i * LONGS + 1, System.nanoTime());
                    written.put(i * LONGS + 2, i % keys);
                    // The number comes last: it says that the others are there.
                    written.put(i * LONGS + 3, number);
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
                return true;
            });
            // It is still there to be killed, however late that is.
            int unused = System.in.read();
        }
    }

    /** The transactions of one thread, on a connection that is opened anew after each failure. */
    private static final class Transactions {

        private static final long PAUSE_MILLIS = 20;

        private final KeyedSequence numbers;

        private final String url;

        private @Nullable Connection connection;

        Transactions(KeyedSequence numbers, String url) {
            this.numbers = numbers;
            this.url = url;
        }

        /** 0 after a rollback, and after a failure: then nobody knows whether it was committed. */
        long number(int key) throws InterruptedException {
            try {
                Connection open = connection;
                if (open == null) {
                    open = DriverManager.getConnection(url);
                    open.setAutoCommit(false);
                    connection = open;
                }
                long number = numbers.next(key, open);
                try (PreparedStatement insert =
                        open.prepareStatement("INSERT INTO " + ROWS + " (key_number, number) VALUES (?, ?)")) {
                    insert.setInt(1, key);
                    insert.setLong(2, number);
                    insert.executeUpdate();
                }
                if (ThreadLocalRandom.current().nextInt(4) == 0) {
                    open.rollback();
                    return 0;
                }
                open.commit();
                return number;
            } catch (SQLException e) {
                System.out.println(e);
                giveUp();
                Thread.sleep(PAUSE_MILLIS);
                return 0;
            }
        }

        private void giveUp() {
            Connection broken = connection;
            connection = null;
            try {
                if (broken != null) {
                    broken.close();
                }
            } catch (SQLException e) {
                System.out.println("On close: " + e);
            }
        }
    }
}
