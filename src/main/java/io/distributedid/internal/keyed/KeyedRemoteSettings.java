package io.distributedid.internal.keyed;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.distributedid.internal.http.ServiceSettings;
import io.distributedid.internal.keyed.remote.RemoteKeys;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.List;

/** The settings of numbers per key from an issuing service. */
final class KeyedRemoteSettings {

    private static final ServiceSettings SERVICE = ServiceSettings.named(
            "distributedid.keyed.remote.servers",
            "distributedid.keyed.remote.token",
            "distributedid.keyed.remote.trust");

    private static final Setting<Duration> TIMEOUT =
            Setting.duration("distributedid.timeout", ofSeconds(2), ofMillis(100), ofMinutes(1));

    static final List<Setting<?>> ALL = List.of(SERVICE.servers(), SERVICE.token(), SERVICE.trust(), TIMEOUT);

    private KeyedRemoteSettings() {}

    /** Everything that a client depends on. Sequences with equal values share it. */
    record Values(ServiceSettings.Service service, Duration timeout) {

        /** Does not connect to any server. */
        RemoteKeys open() {
            return new RemoteKeys(SERVICE, service, timeout);
        }
    }

    /** @throws io.distributedid.IdConfigurationException if one is missing or not allowed */
    static Values read(Settings settings) {
        return new Values(
                SERVICE.read(
                        settings,
                        "distributedid.keyed.backend=remote needs the servers of an issuing service"),
                settings.get(TIMEOUT));
    }
}
