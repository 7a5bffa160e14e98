package io.distributedid.server;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The requests that are being answered, their meters, and whether the server is about to stop. Thread-safe. */
final class Traffic {

    private record Answered(String path, int status) {}

    private final Tally running = new Tally();

    private final Map<Answered, Timer> timers = new ConcurrentHashMap<>();

    /** The bytes of the bodies of requests that are being answered, by the largest body of their routes. */
    private final Map<Long, AtomicLong> bodies = new ConcurrentHashMap<>();

    private final MeterRegistry registry;

    private volatile boolean leaving;

    private volatile boolean over;

    Traffic(MeterRegistry registry) {
        this.registry = registry;
        Gauge.builder("distributedid.server.running", running, Tally::count)
                .description("Requests that are being answered")
                .register(registry);
    }

    void begin() {
        running.up();
    }

    /** A request was answered, or its caller has gone without an answer. */
    void end() {
        running.down();
    }

    /** @param path of the route, so that the number of meters has a bound */
    void answered(String path, int status, long nanos) {
        timers.computeIfAbsent(new Answered(path, status), this::timer).record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer timer(Answered answered) {
        return Timer.builder("distributedid.server.requests")
                .description("Requests that were answered, and how long that took")
                .tag("path", answered.path())
                .tag("status", Integer.toString(answered.status()))
                .register(registry);
    }

    AtomicLong bodies(long largest) {
        return bodies.computeIfAbsent(largest, first -> new AtomicLong());
    }

    long heldBytes() {
        return bodies.values().stream().mapToLong(AtomicLong::get).sum();
    }

    Tally running() {
        return running;
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
