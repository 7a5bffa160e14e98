package io.distributedid.server;

import io.distributedid.DistributedIds;
import io.distributedid.internal.process.Ending;
import io.vertx.core.Vertx;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A running server. Event loops read requests and write answers; what may wait runs on {@link Workers}.
 *
 * <p>The end, in this order:
 *
 * <ol>
 *   <li>{@code /health/ready} fails, and each answer asks its client to close the connection. All requests are answered
 *       as before. This ends when no client is connected, at the latest after {@code drain}.
 *   <li>New requests are refused. Running ones end, at the latest after {@code request_timeout}.
 *   <li>Unused ids are handed back. Requests that still wait for ids are answered with an error.
 *   <li>The port is closed.
 * </ol>
 */
final class IdServer implements AutoCloseable {

    private static final Logger LOG = System.getLogger(IdServer.class.getName());

    private static final Duration LAST_ANSWERS = Duration.ofSeconds(1);

    private static final long CLOSE_SECONDS = 10;

    private final DistributedIds ids;

    private final Vertx vertx;

    private final Traffic traffic;

    private final Connections connections;

    private final Duration drain;

    private final Duration requestTimeout;

    private final String url;

    private final Set<String> sequences;

    private final Set<String> keyed;

    private final Routes routes;

    private final AtomicBoolean isClosing = new AtomicBoolean();

    private final CountDownLatch end = new CountDownLatch(1);

    IdServer(
            DistributedIds ids,
            Vertx vertx,
            Traffic traffic,
            Connections connections,
            Duration drain,
            Duration requestTimeout,
            String url,
            Set<String> sequences,
            Set<String> keyed,
            Routes routes) {
        this.ids = ids;
        this.vertx = vertx;
        this.traffic = traffic;
        this.connections = connections;
        this.drain = drain;
        this.requestTimeout = requestTimeout;
        this.url = url;
        this.sequences = sequences;
        this.keyed = keyed;
        this.routes = routes;
    }

    /** Where it listens: {@code http://127.0.0.1:8080}. */
    String url() {
        return url;
    }

    /** The names of the sequences that it serves. */
    Set<String> sequences() {
        return sequences;
    }

    /** The names of the sequences that it serves numbers per key of. */
    Set<String> keyed() {
        return keyed;
    }

    /** All that it serves. */
    List<Route> routes() {
        return routes.all();
    }

    /** Of bodies of requests that are not answered yet. */
    long heldBytes() {
        return traffic.heldBytes();
    }

    /** Waits until {@link #close} has ended. */
    void awaitEnd() throws InterruptedException {
        end.await();
    }

    @Override
    public void close() {
        if (!isClosing.compareAndSet(false, true)) {
            return;
        }
        traffic.leave();
        connections.drain(drain);
        traffic.finish();
        if (!traffic.running().awaitZero(requestTimeout)) {
            LOG.log(
                    Level.WARNING,
                    "Requests still wait for a store, and are answered with an error now: running="
                            + traffic.running().count());
        }
        Ending ending = new Ending();
        ending.run(ids::close);
        traffic.running().awaitZero(LAST_ANSWERS);
        closeAll(vertx);
        end.countDown();
        ending.throwFirst();
    }

    /** Closes all connections and ends the threads. */
    static void closeAll(Vertx vertx) {
        CountDownLatch closed = new CountDownLatch(1);
        vertx.close().onComplete(result -> closed.countDown());
        try {
            if (!closed.await(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.log(Level.WARNING, "The server did not close its connections in " + CLOSE_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
