package io.distributedid.internal.counter;

import io.distributedid.internal.jdbc.ServerSettingParser;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.List;

/**
 * Names of the settings that all {@link CounterStore}s have, and how they are read.
 *
 * @param servers that hold the counters
 * @param user of all servers
 * @param password of all servers
 * @param timeout bound for each answer of a server
 * @param maxDistance see {@link DriftLimit#max}
 * @param behind see {@link DriftLimit#raise}
 * @param failover see {@link DriftLimit#failover}
 * @param createTable whether tables that are missing are created
 */
public record CountingSettings(
        String servers,
        String user,
        String password,
        String timeout,
        String maxDistance,
        String behind,
        String failover,
        String createTable) {

    DriftLimit driftLimit(Settings settings) {
        return DriftLimit.of(settings, maxDistance, behind, failover);
    }

    Duration timeout(Settings settings) {
        return settings.duration(timeout, Duration.ofSeconds(2), Duration.ofMillis(100), Duration.ofMinutes(1));
    }

    boolean createTable(Settings settings) {
        return settings.flag(createTable, false);
    }

    /** Empty if none is set. */
    List<ConnectionAccess> servers(Settings settings) {
        return ServerSettingParser.find(settings, servers, user, password, timeout(settings));
    }

    /** All that the use of servers depends on: sequences with equal values share them. */
    List<Object> configuration(Settings settings, List<Object> further) {
        return List.of(
                settings.object(servers),
                settings.object(user),
                settings.object(password),
                timeout(settings),
                driftLimit(settings),
                createTable(settings),
                further);
    }
}
