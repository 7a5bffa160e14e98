package io.distributedid.server;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The requests that are being answered, their meters, and whether the server is about to stop. Thread-safe. */
final class Traffic {

    private final Tally running = Tally.unbounded();

    private final Tally waiting;

    private final Meter.MeterProvider<Timer> answered;

    /** The bytes of the bodies of requests that are being answered, by the largest body of their routes. */
    private final Map<Long, AtomicLong> bodies = new ConcurrentHashMap<>();

    private volatile boolean leaving;

    private volatile boolean over;

    /** @param mostWaiting how many requests may wait for ids or numbers */
    Traffic(int mostWaiting, MeterRegistry registry) {
        answered = Timer.builder("distributedid.server.requests")
                .description("Requests that were answered, and how long that took")
                .withRegistry(registry);
        waiting = new Tally(mostWaiting);
        Gauge.builder("distributedid.server.running", running, Tally::count)
                .description("Requests that are being answered")
                .register(registry);
        Gauge.builder("distributedid.server.waiting", waiting, Tally::count)
                .description("Requests that wait for ids")
                .register(registry);
    }

    /** @param path of the route, so that the number of meters has a bound */
    void answered(String path, int status, long nanos) {
        answered.withTags("path", path, "status", Integer.toString(status)).record(nanos, TimeUnit.NANOSECONDS);
    }

    AtomicLong bodies(long largest) {
        return bodies.computeIfAbsent(largest, first -> new AtomicLong());
    }

    long heldBytes() {
        return bodies.values().stream().mapToLong(AtomicLong::get).sum();
    }

    /** The requests that were neither answered nor left by their callers. */
    Tally running() {
        return running;
    }

    /** The requests that wait for ids or numbers, of all sequences. */
    Tally waiting() {
        return waiting;
    }

    /** From now on, each answer asks its client to close the connection. */
    void leave() {
        leaving = true;
    }

    boolean isLeaving() {
        return leaving;
    }

    /** From now on, new requests are refused. */
    void finish() {
        over = true;
    }

    boolean isOver() {
        return over;
    }
}
