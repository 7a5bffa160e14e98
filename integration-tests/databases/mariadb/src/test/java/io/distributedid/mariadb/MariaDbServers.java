package io.distributedid.mariadb;

import io.distributedid.testkit.MariaDbServer;
import io.distributedid.testkit.StartedServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The servers of these tests: an odd and an even ticket server, each started when it is first needed. */
public final class MariaDbServers {

    private static final ConcurrentMap<String, MariaDbServer> RUNNING = new ConcurrentHashMap<>();

    private MariaDbServers() {}

    public static MariaDbServer odd() {
        return started("odd", "--auto-increment-increment=2", "--auto-increment-offset=1");
    }

    public static MariaDbServer even() {
        return started("even", "--auto-increment-increment=2", "--auto-increment-offset=2");
    }

    private static MariaDbServer started(String name, String... arguments) {
        return RUNNING.computeIfAbsent(name, key -> {
            String[] all = new String[arguments.length + 1];
            System.arraycopy(arguments, 0, all, 1, arguments.length);
            // Hostile on purpose: no time of the server's may get into an id.
            all[0] = "--default-time-zone=-08:45";
            try {
                return StartedServers.keep(MariaDbServer.start(Files.createTempDirectory(Path.of("target"), key), all));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
