package io.distributedid.internal.counter;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.distributedid.internal.counter.DriftLimit.Behind;
import io.distributedid.internal.counter.DriftLimit.Failover;
import io.distributedid.internal.jdbc.ServerSettingParser;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The settings that all {@link CounterStore}s have. */
public record CountingSettings(
        Setting<?> servers,
        Setting<String> user,
        Setting<String> password,
        Setting<Duration> timeout,
        Setting<Long> connections,
        Setting<Long> maxDistance,
        Setting<Behind> behind,
        Setting<Failover> failover,
        Setting<Boolean> createTable) {

    /** Everything that connections depend on. Sequences with equal values share their servers. */
    record Values(
            Optional<Object> servers,
            Optional<Object> user,
            Optional<Object> password,
            Duration timeout,
            int connections,
            DriftLimit driftLimit,
            boolean createTable,
            List<Object> further) {}

    /** Declares the settings of one backend. Their names have the prefix of {@code servers}. */
    public static CountingSettings of(Setting<?> servers) {
        String prefix = servers.name().substring(0, servers.name().lastIndexOf('.') + 1);
        return new CountingSettings(
                servers,
                Setting.text(prefix + "user", "a user"),
                Setting.password(prefix + "password"),
                Setting.duration(prefix + "timeout", ofSeconds(2), ofMillis(100), ofMinutes(1)),
                Setting.number(prefix + "connections", 1, 1, 8),
                Setting.number(prefix + "max_distance", 10_000_000, DriftLimit.LEAST, DriftLimit.MOST),
                Setting.choice(prefix + "behind", Behind.REFUSE),
                Setting.choice(prefix + "failover", Failover.RAISE),
                Setting.flag(prefix + "create_table", false));
    }

    /** These settings, and those that only one backend has. */
    public List<Setting<?>> and(Setting<?>... own) {
        return Stream.concat(
                        Stream.of(
                                servers,
                                user,
                                password,
                                timeout,
                                connections,
                                maxDistance,
                                behind,
                                failover,
                                createTable),
                        Stream.of(own))
                .toList();
    }

    Values read(Settings settings, List<Object> further) {
        return new Values(
                settings.given(servers),
                settings.given(user),
                settings.given(password),
                settings.get(timeout),
                Math.toIntExact(settings.get(connections)),
                driftLimit(settings),
                settings.get(createTable),
                further);
    }

    DriftLimit driftLimit(Settings settings) {
        return new DriftLimit(
                settings.get(maxDistance),
                settings.get(behind) == Behind.RAISE,
                maxDistance.name(),
                behind.name(),
                settings.get(failover),
                failover.name());
    }

    /** The databases that are set; empty if none is. */
    List<ConnectionAccess> servers(Settings settings) {
        return ServerSettingParser.find(settings, servers, user, password);
    }
}
