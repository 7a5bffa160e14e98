package io.distributedid.redis;

import io.distributedid.DistributedIdSettings;
import io.distributedid.testkit.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The servers of these tests, and settings for them. */
final class RedisServers {

    private RedisServers() {}

    /** A server that the caller closes. */
    static RedisServer start(String... arguments) {
        return RedisServer.start(folder(), arguments);
    }

    static Path folder() {
        try {
            return Files.createTempDirectory(Path.of("target"), "redis");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Settings that take ids from servers. The pairs of names, without {@code redis.}, and values come last. */
    static Map<String, String> settings(String servers, String... more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                DistributedIdSettings.BACKEND, "redis",
                DistributedIdSettings.REDIS_SERVERS, servers,
                // A machine may be busy, and a start is not tried again.
                DistributedIdSettings.REDIS_TIMEOUT, "30s"));
        for (int i = 0; i < more.length; i += 2) {
            settings.put(DistributedIdSettings.PREFIX + more[i], more[i + 1]);
        }
        return settings;
    }
}
