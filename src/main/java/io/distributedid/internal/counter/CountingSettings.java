package io.distributedid.internal.counter;

import io.distributedid.internal.counter.DriftLimit.Behind;
import io.distributedid.internal.counter.DriftLimit.Failover;
import io.distributedid.internal.jdbc.ServerSettingParser;
import io.distributedid.internal.settings.CoreSettings;
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
        Setting<Long> connections,
        Setting<Behind> behind) {

    public static final Setting<Long> MAX_DISTANCE = Setting.number(
            "distributedid.max_distance",
            "How far the counters of two servers may lie apart. A server that lags further is raised, and so is one"
                    + " whose place a replica has taken.",
            10_000_000,
            DriftLimit.LEAST,
            DriftLimit.MOST);

    public static final Setting<Failover> FAILOVER = Setting.choice(
            "distributedid.failover",
            "What to do when a replica has taken a server's place, or Redis has restarted, and may lack the last ids:"
                    + " raise its counter by max_distance above all known ids, refuse it, or go on, because no id was"
                    + " lost.",
            Failover.RAISE);

    /** Everything that connections depend on. Sequences with equal values share their servers. */
    record Values(
            Optional<Object> servers,
            Optional<Object> user,
            Optional<Object> password,
            Duration timeout,
            int connections,
            DriftLimit driftLimit,
            boolean createTables,
            List<Object> further) {}

    /** These settings, those that all backends share, and those that only one backend has. */
    public List<Setting<?>> and(Setting<?>... own) {
        return Stream.concat(
                        Stream.of(
                                servers,
                                user,
                                password,
                                connections,
                                behind,
                                CoreSettings.TIMEOUT,
                                MAX_DISTANCE,
                                FAILOVER),
                        Stream.of(own))
                .toList();
    }

    Values read(Settings settings, List<Object> further) {
        return new Values(
                settings.given(servers),
                settings.given(user),
                settings.given(password),
                settings.get(CoreSettings.TIMEOUT),
                Math.toIntExact(settings.get(connections)),
                driftLimit(settings),
                settings.get(CoreSettings.CREATE_TABLES),
                further);
    }

    DriftLimit driftLimit(Settings settings) {
        return new DriftLimit(
                settings.get(MAX_DISTANCE),
                settings.get(behind) == Behind.RAISE,
                behind.name(),
                settings.get(FAILOVER));
    }

    /** The databases that are set; empty if none is. */
    List<ConnectionAccess> servers(Settings settings) {
        return ServerSettingParser.find(settings, servers, user, password);
    }
}
