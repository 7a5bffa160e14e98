package benchmarks.keyed;

import io.distributedid.internal.keyed.source.KeyHash;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Takes a number of one key of each section from a server, until all of them have answered. */
final class SectionProbe {

    private static final int CONNECTIONS = 8;

    private static final long RETRY_MILLIS = 2;

    private static final long MOST_NANOS = Duration.ofMinutes(1).toNanos();

    private static final String OK = "HTTP/1.1 200 ";

    private static final String CONTENT_LENGTH = "content-length:";

    /** One of each section. */
    private final List<Long> keys = new ArrayList<>();

    SectionProbe(int sections) {
        boolean[] known = new boolean[sections];
        for (long key = 0; keys.size() < sections; key++) {
            int section = KeyHash.section(key, sections);
            if (!known[section]) {
                known[section] = true;
                keys.add(key);
            }
        }
    }

    /**
     * Asks on several connections, and asks again those that gave no number.
     *
     * @return the time from {@code begin} to the last answer, in milliseconds
     */
    double millisUntilAllAnswer(long begin, int port) throws InterruptedException, ExecutionException {
        Queue<Long> left = new ConcurrentLinkedQueue<>(keys);
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                all.add(threads.submit(() -> {
                    ask(port, left, begin + MOST_NANOS);
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
            return (System.nanoTime() - begin) / 1e6;
        } finally {
            threads.shutdownNow();
        }
    }

    private static void ask(int port, Queue<Long> left, long deadline) throws IOException, InterruptedException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            BufferedReader answers =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            for (Long key = left.poll(); key != null; key = left.poll()) {
                while (!isAnswered(socket, answers, key)) {
                    if (System.nanoTime() - deadline > 0) {
                        throw new IllegalStateException(
                                "A key has had no number for " + Duration.ofNanos(MOST_NANOS) + ": key=" + key);
                    }
                    Thread.sleep(RETRY_MILLIS);
                }
            }
        }
    }

    private static boolean isAnswered(Socket socket, BufferedReader answers, long key) throws IOException {
        socket.getOutputStream()
                .write(("POST " + KeyedServer.PATH + key + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        String status = line(answers);
        int length = 0;
        for (String line = line(answers); !line.isEmpty(); line = line(answers)) {
            if (line.toLowerCase(Locale.ROOT).startsWith(CONTENT_LENGTH)) {
                length =
                        Integer.parseInt(line.substring(CONTENT_LENGTH.length()).trim());
            }
        }
        for (long skipped = 0; skipped < length; ) {
            skipped += answers.skip(length - skipped);
        }
        return status.startsWith(OK);
    }

    private static String line(BufferedReader answers) throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new EOFException("The server has closed a connection");
        }
        return line;
    }
}
