package io.distributedid.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.CuttingProxy;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Three servers that give numbers per key from memory, with their sections in a real MySQL. A proxy stands between each
 * server and the store. The first server has a {@link WallClock}.
 */
final class KeyedFleet {

    static final int SERVERS = 3;

    static final String SEQUENCE = "messages";

    private static final String SCHEMA = "numbers";

    private final List<Integer> ports = Servers.ports(SERVERS);

    private final List<CuttingProxy> links = new ArrayList<>();

    private final Duration lease;

    private final MySqlServer store;

    private final WallClock clock;

    private final Map<String, String> shifted;

    private final Servers servers;

    KeyedFleet(Path folder, Duration lease) throws Exception {
        this.lease = lease;
        store = MySqlServer.start(folder.resolve("store"));
        for (int place = 0; place < SERVERS; place++) {
            links.add(new CuttingProxy(store.port()));
        }
        clock = new WallClock(folder);
        shifted = clock.environment();
        servers = Servers.start(
                folder, ports, place -> new Servers.Start(settings(place), place == 0 ? shifted : Map.of()));
    }

    private Map<String, Object> settings(int place) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("distributedid.server.keyed", SEQUENCE);
        settings.put("distributedid.server.drain", "1s");
        settings.put("distributedid.server.request_timeout", "2s");
        settings.put("distributedid.keyed.backend", "section");
        settings.put("distributedid.keyed.section.store", linkedUrl(place));
        settings.put("distributedid.create_tables", true);
        settings.put("distributedid.keyed.section.sections", 32);
        settings.put("distributedid.keyed.section.lease", lease.toMillis() + "ms");
        settings.put("distributedid.keyed.section.address", "http://127.0.0.1:" + ports.get(place));
        // Beyond it, a server tells callers at once that the store is away.
        settings.put("distributedid.block.timeout", "2s");
        return settings;
    }

    private String linkedUrl(int place) {
        return storeUrl()
                .replace(":" + store.port() + "/", ":" + links.get(place).port() + "/");
    }

    /** Without a proxy. */
    String storeUrl() {
        return store.jdbcUrl(SCHEMA);
    }

    MySqlServer store() {
        return store;
    }

    Servers servers() {
        return servers;
    }

    ServerProcess at(int place) {
        return servers.at(place);
    }

    WallClock clock() {
        return clock;
    }

    /** Between a server and the store. */
    CuttingProxy link(int place) {
        return links.get(place);
    }

    /** The server with this address; -1 if there is none. */
    int place(URI address) {
        return ports.indexOf(address.getPort());
    }

    /** A client that waits for as long as any fault lasts. */
    DistributedIds client() {
        return DistributedIds.create(Map.of(
                "distributedid.keyed.backend",
                "remote",
                "distributedid.keyed.remote.servers",
                servers.urls(),
                "distributedid.block.timeout",
                "2m"));
    }

    /** By SIGTERM. */
    void stopCleanly(int place) throws InterruptedException {
        at(place).terminate();
        assertThat(at(place).awaitExit()).as(at(place).errors()).isZero();
    }

    /** Sends a request for numbers to a port of this machine. */
    static HttpResponse<String> ask(HttpClient client, Duration timeout, URI server, String key, int count)
            throws IOException, InterruptedException {
        URI target = server.resolve("/v1/keyed/" + SEQUENCE + "/numbers?key=" + key + "&n=" + count);
        return client.send(
                HttpRequest.newBuilder(target)
                        .timeout(timeout)
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
