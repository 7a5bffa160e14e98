package io.distributedid.redis;

import io.distributedid.DistributedIds;
import io.distributedid.spi.Setting;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The servers of these tests, and settings for them. */
final class RedisServers {

    /** Of a cluster. */
    static final int SLOTS = 16384;

    private RedisServers() {}

    /** A server that is closed after the test. */
    static RedisServer start(String... arguments) {
        return RedisServer.start(folder(), arguments);
    }

    /** Options of one of the servers of a cluster. */
    static String[] ofCluster(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--cluster-enabled", "yes"));
        return all.toArray(String[]::new);
    }

    /** Gives slots to a server of a cluster, without the command for a range, which is newer than Redis 6.2. */
    static void addSlots(RedisServer server, int first, int end) {
        server.command(Stream.concat(
                        Stream.of("CLUSTER", "ADDSLOTS"),
                        IntStream.range(first, end).mapToObj(Integer::toString))
                .toArray(String[]::new));
    }

    /** Gives all slots to a server, which is the whole cluster. */
    static void takeAllSlots(RedisServer server) {
        addSlots(server, 0, SLOTS);
        Await.until("the cluster is up", () -> server.command("CLUSTER", "INFO").contains("cluster_state:ok"));
    }

    /** As {@link #start}, a Valkey server. */
    static RedisServer startValkey(String... arguments) {
        return RedisServer.startValkey(folder(), arguments);
    }

    static Path folder() {
        try {
            return Files.createTempDirectory(Path.of("target"), "redis");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A client with blocks of ten. Its callers are refused after a short time, since tests wait for that; a server may
     * take long to answer, as on a busy machine.
     */
    static DistributedIds client(String servers, String... more) {
        Map<String, String> settings = settings(servers);
        settings.putAll(Map.of(
                "distributedid.block.min", "10",
                "distributedid.block.max", "10",
                "distributedid.block.timeout", "1s"));
        settings.putAll(settings(servers, more));
        return DistributedIds.create(settings);
    }

    /** Takes ids during an outage, and after it: some are from before. */
    static void takeAll(GivenIds given, DistributedIds from, int count) {
        for (int i = 0; i < count; i++) {
            given.takeOnceGiven(from, 1);
        }
    }

    /** Settings that take ids from servers. Pairs of names, without their prefix, and values come last. */
    static Map<String, String> settings(String servers, String... more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "distributedid.backend", "redis",
                "distributedid.redis.servers", servers,
                // A machine may be busy, and a start is not tried again.
                "distributedid.timeout", "30s"));
        for (int i = 0; i < more.length; i += 2) {
            settings.put(Setting.PREFIX + more[i], more[i + 1]);
        }
        return settings;
    }
}
