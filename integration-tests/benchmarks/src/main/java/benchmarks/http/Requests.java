package benchmarks.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Sends requests to a server from one thread, on several connections, each with one request at a time: flat out, or on
 * a schedule. A request costs less here than in any of the servers.
 */
public final class Requests implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Selector selector = Selector.open();

    private final List<Connection> connections = new ArrayList<>();

    /** Those without a request under way. */
    private final Queue<Connection> free = new ArrayDeque<>();

    private final Consumer<Answer> each;

    private final LongSupplier nanoTime;

    private final LongConsumer awaitTime;

    /** Given the number of a request that was answered. */
    private IntConsumer ended = number -> {};

    private long answered;

    /**
     * Opens the connections.
     *
     * @param path of the requests
     * @param each takes each answer, which is valid during the call
     */
    Requests(int port, RequestPath path, int count, Consumer<Answer> each) throws IOException {
        this(port, path, count, each, System::nanoTime, Requests::awaitTime);
    }

    Requests(
            int port, RequestPath path, int count, Consumer<Answer> each, LongSupplier nanoTime, LongConsumer awaitTime)
            throws IOException {
        this.each = each;
        this.nanoTime = nanoTime;
        this.awaitTime = awaitTime;
        for (int i = 0; i < count; i++) {
            connections.add(new Connection(port, path, i, selector));
        }
        free.addAll(connections);
    }

    /**
     * Sends a request on each connection as soon as the last one was answered. At the end, requests are still under
     * way; another call goes on with them.
     *
     * @return how many were answered
     */
    public long flatOut(Duration time) throws IOException {
        long before = answered;
        long end = nanoTime.getAsLong() + time.toNanos();
        while (nanoTime.getAsLong() - end < 0) {
            while (!free.isEmpty()) {
                free.remove().send(0);
            }
            receive();
        }
        return answered - before;
    }

    /**
     * Sends requests at a steady rate, and waits for all answers. A request that is due when no connection is free is
     * sent late. Its time begins when it was due, so that a slow answer counts for all who would have asked meanwhile.
     *
     * @return the time of each request in nanoseconds, in the order in which they were due
     */
    public long[] onSchedule(double perSecond, int count) throws IOException {
        settle();
        long[] times = new long[count];
        long begin = nanoTime.getAsLong();
        ended = number -> times[number] = nanoTime.getAsLong() - due(begin, number, perSecond);
        int next = 0;
        while (next < count) {
            long due = due(begin, next, perSecond);
            if (free.isEmpty()) {
                receive();
            } else if (nanoTime.getAsLong() - due >= 0) {
                free.remove().send(next);
                next++;
            } else if (free.size() == connections.size()) {
                awaitTime.accept(due);
            } else {
                // Does not wait: the next request may be due before the next answer comes.
                selector.selectNow(this::receive);
            }
        }
        settle();
        ended = number -> {};
        return times;
    }

    private static long due(long begin, int number, double perSecond) {
        return begin + (long) (number * 1e9 / perSecond);
    }

    /** Waits for the answers to all requests under way. */
    public void settle() throws IOException {
        while (free.size() < connections.size()) {
            receive();
        }
    }

    private void receive() throws IOException {
        if (selector.select(this::receive, PATIENCE.toMillis()) == 0) {
            throw new IOException("The server did not answer within " + PATIENCE.toSeconds() + " s");
        }
    }

    private void receive(SelectionKey key) {
        Connection connection = (Connection) key.attachment();
        try {
            if (connection.receive()) {
                answered++;
                ended.accept(connection.number());
                each.accept(connection.answer());
                free.add(connection);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Spins: a thread that sleeps wakes up too late. */
    private static void awaitTime(long nanos) {
        while (System.nanoTime() - nanos < 0) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() throws IOException {
        for (Connection connection : connections) {
            connection.close();
        }
        selector.close();
    }
}
