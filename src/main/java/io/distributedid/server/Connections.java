package io.distributedid.server;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.http.HttpConnection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The open connections, from their first byte on. Has a limit: further ones are closed at once, so that those that
 * exist go on. Thread-safe.
 *
 * <p>When the server leaves, each answer tells a client with HTTP/1.1 to close the connection. HTTP/2 has a frame for
 * this, but the client of Java 17 drops its running requests when it comes. So it is sent to connections that are quiet
 * for a moment. The others end with the server.
 */
final class Connections {

    /** A client with HTTP/2 that sends nothing for so long is asked to leave. */
    static final Duration QUIET = Duration.ofMillis(250);

    private static final Duration LOOK = Duration.ofMillis(50);

    private static final class Client {

        private final AtomicInteger running = new AtomicInteger();

        /** The last begin or end of a request, by {@link System#nanoTime}. */
        private volatile long lastNanos = System.nanoTime();

        boolean isQuiet() {
            return running.get() == 0 && System.nanoTime() - lastNanos > QUIET.toNanos();
        }
    }

    private final Map<HttpConnection, Client> open = new ConcurrentHashMap<>();

    private final Tally tally = new Tally();

    private final int most;

    Connections(int most, MeterRegistry registry) {
        this.most = most;
        Gauge.builder("distributedid.server.connections", tally, Tally::count)
                .description("Open connections")
                .register(registry);
    }

    void add(HttpConnection connection) {
        tally.up();
        open.put(connection, new Client());
        connection.closeHandler(closed -> {
            open.remove(connection);
            tally.down();
        });
        if (tally.count() > most) {
            connection.close();
        }
    }

    /** A request on a connection with HTTP/2 has begun. */
    void begin(HttpConnection connection) {
        count(connection, 1);
    }

    /** Such a request was answered. */
    void end(HttpConnection connection) {
        count(connection, -1);
    }

    private void count(HttpConnection connection, int change) {
        Client client = open.get(connection);
        if (client != null) {
            client.running.addAndGet(change);
            client.lastNanos = System.nanoTime();
        }
    }

    /** Waits until all clients have left, and asks those with HTTP/2 to leave when they are quiet. */
    void drain(Duration timeout) {
        long began = System.nanoTime();
        while (!tally.awaitZero(LOOK) && System.nanoTime() - began < timeout.toNanos()) {
            open.forEach((connection, client) -> {
                if (isHttp2(connection) && client.isQuiet()) {
                    connection.shutdown(QUIET.toMillis(), TimeUnit.MILLISECONDS);
                }
            });
        }
    }

    /** Only HTTP/2 has windows. */
    private static boolean isHttp2(HttpConnection connection) {
        return connection.getWindowSize() >= 0;
    }
}
