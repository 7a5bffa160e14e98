package io.distributedid.server;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.http.HttpConnection;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The open connections, from their first byte on. Has a limit: further ones are closed at once, so that those that
 * exist go on. Thread-safe.
 */
final class Connections {

    private final Set<HttpConnection> open = ConcurrentHashMap.newKeySet();

    private final Tally tally = new Tally();

    private final int most;

    private final Traffic traffic;

    private final Duration drain;

    Connections(int most, Duration drain, Traffic traffic, MeterRegistry registry) {
        this.most = most;
        this.drain = drain;
        this.traffic = traffic;
        Gauge.builder("distributedid.server.connections", tally, Tally::count)
                .description("Open connections")
                .register(registry);
    }

    void add(HttpConnection connection) {
        tally.up();
        open.add(connection);
        connection.closeHandler(closed -> {
            open.remove(connection);
            tally.down();
        });
        if (tally.count() > most) {
            connection.close();
        } else if (traffic.isLeaving()) {
            leave(connection);
        }
    }

    Tally tally() {
        return tally;
    }

    /** Asks the clients with HTTP/2 to open no more streams. Those with HTTP/1.1 are told by each answer. */
    void leave() {
        open.forEach(this::leave);
    }

    private void leave(HttpConnection connection) {
        if (isHttp2(connection)) {
            connection.shutdown(Math.max(1, drain.toMillis()), TimeUnit.MILLISECONDS);
        }
    }

    /** Only HTTP/2 has windows. */
    private static boolean isHttp2(HttpConnection connection) {
        return connection.getWindowSize() >= 0;
    }
}
