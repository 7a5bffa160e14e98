package io.distributedid.server;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The open connections, the requests that are being answered, their meters, and whether the server is about to stop.
 * Thread-safe.
 *
 * <p>Connections have a limit: beyond it, the oldest that has sent no request yet is closed, and a new one if there is
 * none, so that those that are used go on. One whose next request does not arrive in time is closed too, whatever bytes
 * it sends meanwhile.
 *
 * <p>When the server leaves, each answer tells a client with HTTP/1.1 to close the connection. HTTP/2 has a frame for
 * this, but the client of Java 17 drops its running requests when it comes. So it is sent to connections that are quiet
 * for a moment. The others end with the server.
 */
final class Traffic {

    /** A client with HTTP/2 that sends nothing for so long is asked to leave. */
    static final Duration QUIET = Duration.ofMillis(250);

    /** So many requests a client with HTTP/1.1 may send before it takes an answer. */
    static final int MOST_PIPELINED = 16;

    private static final long POLL_NANOS = Duration.ofMillis(25).toNanos();

    private static final class Client {

        private final long number;

        private final AtomicInteger running = new AtomicInteger();

        /** The last begin or end of a request, by {@link System#nanoTime}. */
        private volatile long lastNanos = System.nanoTime();

        Client(long number) {
            this.number = number;
        }

        boolean isQuiet(Duration time) {
            return running.get() == 0 && System.nanoTime() - lastNanos > time.toNanos();
        }
    }

    /**
     * Counts the requests of a connection with HTTP/1.1 whose answers its client has not taken. Vert.x reads on while
     * requests wait and while answers are not taken, and keeps them all. So the connection is closed at the next
     * request when there are too many, or when their answers fill the buffer of the channel. For one event loop.
     */
    private static final class Pipelining extends ChannelDuplexHandler {

        private int untaken;

        private boolean isClosed;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpRequest
                    && (++untaken > MOST_PIPELINED || !context.channel().isWritable())) {
                isClosed = true;
                ChannelFuture unused = context.close();
            }
            if (isClosed) {
                ReferenceCountUtil.release(message);
            } else {
                context.fireChannelRead(message);
            }
        }

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            ChannelPromise taken = promise.unvoid();
            if (message instanceof HttpResponse answer && !answer.status().equals(HttpResponseStatus.CONTINUE)) {
                taken.addListener(done -> untaken--);
            }
            ChannelFuture unused = context.write(message, taken);
        }
    }

    private final Map<HttpConnection, Client> open = new ConcurrentHashMap<>();

    /** Those that have sent no request yet, by their numbers. */
    private final NavigableMap<Long, HttpConnection> unused = new ConcurrentSkipListMap<>();

    private final AtomicLong numbers = new AtomicLong();

    private final int mostConnections;

    private final Tally waiting;

    private final Meter.MeterProvider<Timer> answered;

    private volatile boolean isLeaving;

    private volatile boolean isOver;

    /** @param mostWaiting how many requests may wait for ids or numbers */
    Traffic(int mostConnections, int mostWaiting, MeterRegistry registry) {
        this.mostConnections = mostConnections;
        waiting = new Tally(mostWaiting);
        answered = Timer.builder("distributedid.server.requests")
                .description("Requests that were answered, and how long that took")
                .withRegistry(registry);
        gauge(registry, "distributedid.server.connections", "Open connections", open::size);
        gauge(registry, "distributedid.server.running", "Requests that are being answered", this::running);
        gauge(registry, "distributedid.server.waiting", "Requests that wait for ids", waiting::count);
    }

    private static void gauge(MeterRegistry registry, String name, String description, Supplier<Number> count) {
        Gauge.builder(name, count).description(description).register(registry);
    }

    void add(HttpConnection connection) {
        Client client = new Client(numbers.getAndIncrement());
        open.put(connection, client);
        unused.put(client.number, connection);
        connection.closeHandler(closed -> {
            open.remove(connection);
            unused.remove(client.number);
        });
        if (!isHttp2(connection)) {
            ChannelHandlerContext handler = ((HttpServerConnection) connection).channelHandlerContext();
            handler.pipeline().addBefore(handler.name(), null, new Pipelining());
        }
        if (open.size() > mostConnections) {
            Map.Entry<Long, HttpConnection> oldest = unused.pollFirstEntry();
            (oldest == null ? connection : oldest.getValue()).close();
        }
    }

    /** Closes the connections that are answered and send no request for a time. */
    void closeQuiet(Duration time) {
        open.forEach((connection, client) -> {
            if (client.isQuiet(time)) {
                connection.close();
            }
        });
    }

    /** @param change 1 if a request has begun, -1 if it was answered, or its caller has gone */
    void count(HttpConnection connection, int change) {
        Client client = open.get(connection);
        if (client != null) {
            client.lastNanos = System.nanoTime();
            client.running.addAndGet(change);
            if (change > 0) {
                unused.remove(client.number);
            }
        }
    }

    /** @param path of the route, so that the number of meters has a bound */
    void answered(String path, int status, long nanos) {
        answered.withTags("path", path, "status", Integer.toString(status)).record(nanos, TimeUnit.NANOSECONDS);
    }

    /** How many requests were neither answered nor left by their callers. */
    int running() {
        return open.values().stream().mapToInt(client -> client.running.get()).sum();
    }

    /** The requests that wait for ids or numbers, of all sequences. */
    Tally waiting() {
        return waiting;
    }

    /** Whether each answer asks its client to close the connection. */
    boolean isLeaving() {
        return isLeaving;
    }

    /** Whether new requests are refused. */
    boolean isOver() {
        return isOver;
    }

    /** Asks the clients to leave, waits until all have left, and refuses new requests from then on. */
    void leave(Duration timeout) {
        isLeaving = true;
        boolean unused = await(timeout, () -> {
            open.forEach((connection, client) -> {
                if (isHttp2(connection) && client.isQuiet(QUIET)) {
                    connection.shutdown(QUIET.toMillis(), TimeUnit.MILLISECONDS);
                }
            });
            return open.isEmpty();
        });
        isOver = true;
    }

    /** Returns whether all requests ended in time. */
    boolean awaitAnswers(Duration timeout) {
        return await(timeout, () -> running() == 0);
    }

    private static boolean await(Duration timeout, BooleanSupplier isDone) {
        long began = System.nanoTime();
        while (!isDone.getAsBoolean()) {
            if (System.nanoTime() - began >= timeout.toNanos()
                    || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return true;
    }

    /** Only HTTP/2 has windows. */
    private static boolean isHttp2(HttpConnection connection) {
        return connection.getWindowSize() >= 0;
    }
}
