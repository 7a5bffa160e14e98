package io.distributedid.mysql;

import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.StartedServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The servers of these tests: an odd and an even ticket server, two shards and one for worker numbers, each started
 * when it is first needed.
 */
final class MySqlServers {

    private static final ConcurrentMap<String, MySqlServer> RUNNING = new ConcurrentHashMap<>();

    private MySqlServers() {}

    static MySqlServer odd() {
        return started("odd", "--auto-increment-increment=2", "--auto-increment-offset=1");
    }

    static MySqlServer even() {
        return started("even", "--auto-increment-increment=2", "--auto-increment-offset=2");
    }

    static MySqlServer shard(int number) {
        return started("shard" + number);
    }

    /** Holds worker numbers, and is stopped now and then. */
    static MySqlServer workers() {
        return started("workers");
    }

    private static MySqlServer started(String name, String... arguments) {
        return RUNNING.computeIfAbsent(name, key -> {
            String[] all = new String[arguments.length + 1];
            System.arraycopy(arguments, 0, all, 1, arguments.length);
            // Hostile on purpose: no time of the server's may get into an id.
            all[0] = "--default-time-zone=-08:45";
            try {
                return StartedServers.keep(MySqlServer.start(Files.createTempDirectory(Path.of("target"), key), all));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
