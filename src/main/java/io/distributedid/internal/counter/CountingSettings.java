package io.distributedid.internal.counter;

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

    public static final Setting<Long> MAX_DISTANCE = Setting.number(
            "distributedid.max_distance",
            "How far the counters of two servers may be apart. A server that lags further is raised, and so is a"
                    + " replica that has taken a server's place.",
            10_000_000,
            CounterRules.LEAST,
            CounterRules.MOST);

    public static final Setting<Failover> FAILOVER = Setting.choice(
            "distributedid.failover",
            "What to do when a replica has taken a server's place, or Redis has restarted, and may lack the last ids:"
                    + " raise its counter by twice max_distance above all known ids, refuse it, or go on, because no id"
                    + " was lost.",
            Failover.RAISE);

    /** @param what the servers are, in the plural */
    public CountingSettings(Setting<?> servers, String what) {
        this(
                servers,
                Setting.text(beside(servers, "user"), "The user for " + what + " whose URL names no user.", "a user"),
                Setting.password(
                        beside(servers, "password"),
                        "The password of " + beside(servers, "user").substring(Setting.PREFIX.length()) + "."));
    }

    private static String beside(Setting<?> servers, String name) {
        return servers.name().substring(0, servers.name().lastIndexOf('.') + 1) + name;
    }

    /** The least id wanted. */
    public Setting<Long> start() {
        return Setting.number(
                beside(servers, "start"),
                "The smallest id that a sequence gives. A counter below it is raised when the sequence is opened.",
                1,
                1,
                Long.MAX_VALUE / 2);
    }

    /** Everything that connections depend on. Sequences with equal values share their servers. */
    record Values(
            Optional<Object> servers,
            Optional<Object> user,
            Optional<Object> password,
            Duration timeout,
            CounterRules rules,
            boolean createTables,
            List<Object> further) {}

    /** These settings, those that all backends share, and those that only one backend has. */
    public List<Setting<?>> and(Setting<?>... own) {
        return Stream.concat(
                        Stream.of(servers, user, password, CoreSettings.TIMEOUT, MAX_DISTANCE, FAILOVER),
                        Stream.of(own))
                .toList();
    }

    Values read(Settings settings, List<Object> further) {
        return new Values(
                settings.given(servers),
                settings.given(user),
                settings.given(password),
                settings.get(CoreSettings.TIMEOUT),
                new CounterRules(settings.get(MAX_DISTANCE), settings.get(FAILOVER)),
                settings.get(CoreSettings.CREATE_TABLES),
                further);
    }

    /** The databases that are set; empty if none is. */
    public List<ConnectionAccess> servers(Settings settings) {
        return ServerSettingParser.find(settings, servers, user, password);
    }
}
