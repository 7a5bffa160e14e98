package io.distributedid.internal.keyed.remote;

import io.distributedid.internal.keyed.remote.KeySpot.Want;
import io.distributedid.internal.keyed.source.KeyedSource;
import io.distributedid.internal.process.Combiner;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Pending;
import io.distributedid.internal.process.Platform;
import io.distributedid.internal.service.Json;
import io.distributedid.internal.service.PatientCalls;
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
 * <p>A request goes to the server that answered last about the key or its neighbours, see {@link KeySpot.Keys}, at
 * first to a random one. If another one gives the numbers of the key, that is asked at once.
 *
 * <p>Calls for one key share requests, and all keys of a sequence have one outage, see {@link PatientCalls}.
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
    private final Map<String, KeySpot.Keys> keys = new ConcurrentHashMap<>();

    /** Does not connect to any server. */
    public RemoteKeys(ServiceSettings settings, ServiceSettings.Service service) {
        this(new ServicePool(settings, service, "keyed", Platform.JVM));
    }

    RemoteKeys(ServicePool pool) {
        this.pool = pool;
        calls = new PatientCalls<>(
                pool, this::send, () -> MOST_NUMBERS, Numbers::count, "a number", Pages.onCall("keyed-late"));
    }

    @Override
    public Pending<Long> ask(String sequence, String key, int count, long began, Duration timeout) {
        KeySpot spot = spot(sequence, key, count == 0 ? Want.LAST : Want.NUMBERS, timeout);
        Pending<Combiner.Share<Numbers>> call = calls.begin(spot, count);
        return new Pending<>(
                call.answer().thenApply(share -> {
                    long first = share.answer().first;
                    return spot.isRead() ? first : first + share.offset() + count - 1;
                }),
                call.end());
    }

    @Override
    public long bound(String sequence, String key, long began, Duration timeout) {
        return calls.call(spot(sequence, key, Want.BOUND, timeout), 0, began).answer().first;
    }

    private CompletableFuture<Numbers> send(KeySpot spot, int count) {
        return pool.ask(spot, server -> ask(server, spot, count)).thenApply(ended -> {
            spot.learn(ended.server());
            return ended.good();
        });
    }

    private KeySpot spot(String sequence, String key, Want want, Duration timeout) {
        return new KeySpot(keys.computeIfAbsent(sequence, KeySpot.Keys::new), key, want, timeout);
    }

    private static CompletableFuture<Numbers> ask(ServiceServer server, KeySpot spot, int count) {
        String path = "/v1/keyed/" + spot.sequence() + "/numbers?key="
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
