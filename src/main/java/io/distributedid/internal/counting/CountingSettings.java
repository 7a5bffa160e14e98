package io.distributedid.internal.counting;

import io.distributedid.internal.counter.DriftLimit;
import io.distributedid.internal.jdbc.ServerSettingParser;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The settings that all {@link CountingStore}s have. */
public record CountingSettings(Setting<?> servers, Setting<String> user, Setting<String> password) {

    /** Declared once, also for the stores that keep a record. */
    public static final Setting<Long> MAX_DISTANCE = io.distributedid.internal.counter.CountingSettings.MAX_DISTANCE;

    public static final Setting<DriftLimit.Failover> FAILOVER =
            io.distributedid.internal.counter.CountingSettings.FAILOVER;

    /** Everything that connections depend on. Sequences with equal values share their servers. */
    record Values(
            Optional<Object> servers,
            Optional<Object> user,
            Optional<Object> password,
            Duration timeout,
            CounterRules rules,
            boolean createTables) {}

    /** These settings, those that all backends share, and those that only one backend has. */
    public List<Setting<?>> and(Setting<?>... own) {
        return Stream.concat(
                        Stream.of(servers, user, password, CoreSettings.TIMEOUT, MAX_DISTANCE, FAILOVER),
                        Stream.of(own))
                .toList();
    }

    Values read(Settings settings) {
        return new Values(
                settings.given(servers),
                settings.given(user),
                settings.given(password),
                settings.get(CoreSettings.TIMEOUT),
                new CounterRules(
                        settings.get(MAX_DISTANCE),
                        Failover.valueOf(settings.get(FAILOVER).name())),
                settings.get(CoreSettings.CREATE_TABLES));
    }

    /** The databases that are set; empty if none is. */
    public List<ConnectionAccess> servers(Settings settings) {
        return ServerSettingParser.find(settings, servers, user, password);
    }
}
