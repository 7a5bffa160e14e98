package io.distributedid.internal.keyed.remote;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.http.HttpCalls;
import io.distributedid.internal.http.JsonObject;
import io.distributedid.internal.http.ServiceSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** The servers of an issuing service, and the connections to them. Thread-safe. */
final class KeyServers implements AutoCloseable {

    private static final long SHORTEST_LIMIT = Duration.ofMillis(1).toNanos();

    private final ServiceSettings settings;

    private final HttpCalls http;

    private final List<KeyServer> all;

    /** Of one request. */
    private final Duration answerTimeout;

    /** The place of the server that is asked first: the one that has answered last, at first a random one. */
    private volatile int preferred;

    private KeyServers(
            ServiceSettings settings, ServiceSettings.Service service, HttpCalls http, Duration answerTimeout) {
        this.settings = settings;
        this.http = http;
        this.answerTimeout = answerTimeout;
        all = service.servers().stream()
                .map(address -> new KeyServer(address, service.token(), settings))
                .toList();
        preferred = ThreadLocalRandom.current().nextInt(all.size());
    }

    /** Does not connect to any server. */
    static KeyServers open(ServiceSettings settings, ServiceSettings.Service service, Duration answerTimeout) {
        try {
            HttpCalls http = settings.open(service, "keyed", answerTimeout);
            return new KeyServers(settings, service, http, answerTimeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while the client of an issuing service was made", e);
        }
    }

    List<KeyServer> all() {
        return all;
    }

    /** The names of the settings, for messages. */
    ServiceSettings settings() {
        return settings;
    }

    /** Those that are asked first come first. */
    List<KeyServer> inOrder() {
        int first = preferred;
        return IntStream.range(0, all.size())
                .mapToObj(i -> all.get((first + i) % all.size()))
                .toList();
    }

    /** Asks a server, see {@link KeyServer#ask}. */
    long ask(KeyServer server, KeySpot spot, int count, CallTime time) throws KeyServerException, InterruptedException {
        long limit = Math.max(SHORTEST_LIMIT, Math.min(answerTimeout.toNanos(), time.left()));
        long last = server.ask(http, spot, count, Duration.ofNanos(limit));
        preferred = all.indexOf(server);
        return last;
    }

    /** See {@link KeyServer#table}. */
    CompletableFuture<JsonObject> table(KeyServer server, String sequence) {
        return server.table(http, sequence, answerTimeout);
    }

    /** From now on, failures of the servers are not logged. */
    void stop() {
        all.forEach(server -> server.pause().close());
    }

    /** Ends the requests under way, and does not wait. */
    void cut() {
        http.cut();
    }

    @Override
    public void close() {
        http.close();
    }
}
