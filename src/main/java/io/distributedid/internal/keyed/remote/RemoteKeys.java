package io.distributedid.internal.keyed.remote;

import io.distributedid.internal.keyed.remote.KeySpot.Want;
import io.distributedid.internal.keyed.source.KeyedSource;
import io.distributedid.internal.process.Combiner;
import io.distributedid.internal.process.Pending;
import io.distributedid.internal.process.Platform;
import io.distributedid.internal.service.HttpFailures;
import io.distributedid.internal.service.Json;
import io.distributedid.internal.service.PatientCalls;
import io.distributedid.internal.service.PatientCalls.Wait;
import io.distributedid.internal.service.ServicePool;
import io.distributedid.internal.service.ServiceServer;
import io.distributedid.internal.service.ServiceSettings;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Numbers per key from the servers of an issuing service.
 *
 * <p>A request goes to the server that gives the numbers of the key, see {@link KeyRoutes}, or to any if each gives
 * all: at first to a random one, then to the one that answered last.
 *
 * <p>Calls for one key share requests, and each key has an outage of its own, see {@link PatientCalls}. A call for a
 * bound waits in old outages too: a start divides its time among several keys, and the outage began with the first.
 * Thread-safe.
 */
public final class RemoteKeys implements KeyedSource {

    /** Numbers of one request. */
    private static final int MOST_NUMBERS = 10_000;

    /** The first of the numbers that were taken; or the last one of the key, if {@code count} is 0. */
    private record Numbers(long first, int count) {}

    private final ServicePool pool;

    private final PatientCalls<KeySpot, Numbers> calls;

    /** By sequence. */
    private final Map<String, KeyRoutes> routes = new ConcurrentHashMap<>();

    /** Does not connect to any server. */
    public RemoteKeys(ServiceSettings settings, ServiceSettings.Service service) {
        this(new ServicePool(settings, service, "keyed", Platform.JVM));
    }

    RemoteKeys(ServicePool pool) {
        this.pool = pool;
        Combiner<KeySpot, Numbers> combiner =
                new Combiner<>(this::send, () -> MOST_NUMBERS, Numbers::count, HttpFailures::isExhausted);
        calls = new PatientCalls<>(pool, combiner, "a number");
    }

    @Override
    public Pending<Long> ask(String sequence, String key, int count, long began, Duration timeout) {
        KeySpot spot = new KeySpot(routes(sequence), sequence, key, count == 0 ? Want.LAST : Want.NUMBERS);
        Pending<Combiner.Share<Numbers>> call = calls.begin(spot, count, new Wait(began, timeout, false));
        return new Pending<>(
                call.answer().thenApply(share -> {
                    long first = share.answer().first;
                    return spot.isRead() ? first : first + share.offset() + count - 1;
                }),
                call.end());
    }

    @Override
    public long bound(String sequence, String key, long began, Duration timeout) {
        KeySpot spot = new KeySpot(routes(sequence), sequence, key, Want.BOUND);
        return calls.call(spot, 0, new Wait(began, timeout, true)).answer().first;
    }

    private CompletableFuture<Numbers> send(KeySpot spot, int count) {
        return pool.ask(spot, server -> ask(server, spot, count), server -> table(server, spot.sequence()))
                .thenApply(ended -> {
                    spot.routes().learn(spot.key(), ended.server());
                    return ended.good();
                });
    }

    private KeyRoutes routes(String sequence) {
        KeyRoutes known = routes.get(sequence);
        if (known != null) {
            return known;
        }
        KeyRoutes made = routes.computeIfAbsent(sequence, name -> new KeyRoutes(pool, server -> table(server, name)));
        made.refresh(pool.inOrder().get(0));
        return made;
    }

    private static CompletableFuture<Numbers> ask(ServiceServer server, KeySpot spot, int count) {
        String path = path(spot.sequence(), "numbers") + "?key="
                + URLEncoder.encode(spot.key(), StandardCharsets.UTF_8)
                + (spot.want() == Want.BOUND ? "&bound=true" : "")
                + (count > 1 ? "&n=" + count : "");
        Function<Json, Numbers> reader = answer -> read(answer, spot, count);
        return spot.isRead() ? server.get(path, spot.toString(), reader) : server.post(path, spot.toString(), reader);
    }

    private static Numbers read(Json answer, KeySpot spot, int count) {
        if (!answer.text("sequence").equals(spot.sequence())
                || !answer.text("key").equals(spot.key())) {
            throw new IllegalArgumentException("it is about " + answer.text("sequence") + " " + answer.text("key"));
        }
        long end = answer.id(spot.isRead() ? "current" : "last");
        boolean isAllowed = spot.isRead() ? end >= 0 : end >= count && answer.id("first") == end - count + 1;
        if (!isAllowed) {
            throw new IllegalArgumentException("it has other numbers than " + count + ": last=" + end);
        }
        return new Numbers(spot.isRead() ? end : end - count + 1, count);
    }

    /** Asks who gives the numbers of which keys. */
    private static CompletableFuture<Json> table(ServiceServer server, String sequence) {
        return server.get(path(sequence, "table"), "seq=" + sequence, Function.identity());
    }

    private static String path(String sequence, String what) {
        return "/v1/keyed/" + sequence + "/" + what;
    }

    @Override
    public void stop() {
        calls.close();
        pool.stop();
    }

    @Override
    public void cut() {
        stop();
        pool.cut();
    }

    /** Gives nothing back, as {@link #close}: the service takes no numbers back. */
    @Override
    public void abandon() {
        close();
    }

    @Override
    public void close() {
        stop();
        pool.close();
    }
}
