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
 * The servers of all these tests, each started when it is first needed: an odd and an even ticket server, shards and
 * one for worker numbers. A test may kill them, and starts them again. Each class has a schema of its own.
 */
public final class MySqlServers {

    private static final ConcurrentMap<String, MySqlServer> RUNNING = new ConcurrentHashMap<>();

    private MySqlServers() {}

    public static MySqlServer odd() {
        return started("odd", "--auto-increment-increment=2", "--auto-increment-offset=1");
    }

    public static MySqlServer even() {
        return started("even", "--auto-increment-increment=2", "--auto-increment-offset=2");
    }

    public static MySqlServer shard(int number) {
        return started("shard" + number);
    }

    /** Holds worker numbers. */
    public static MySqlServer workers() {
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
