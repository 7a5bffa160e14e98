package io.distributedid.internal.keyed;

import io.distributedid.internal.http.ServiceSettings;
import io.distributedid.internal.keyed.remote.RemoteKeys;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.List;

/** The settings of numbers per key from an issuing service. */
final class KeyedRemoteSettings {

    private static final ServiceSettings SERVICE = new ServiceSettings(
            Setting.list(
                    "distributedid.keyed.remote.servers",
                    "The servers of an issuing service that gives numbers per key. If each key has a server of its own,"
                            + " list all of them.",
                    ServiceSettings.ADDRESSES),
            Setting.password(
                    "distributedid.keyed.remote.token", "The token that the servers of keyed.remote.servers ask for."),
            Setting.text(
                            "distributedid.keyed.remote.trust",
                            "The certificates that those of keyed.remote.servers must be signed by.",
                            ServiceSettings.CERTIFICATES)
                    .defaultIs("those that the JVM trusts"));

    static final List<Setting<?>> ALL =
            List.of(SERVICE.servers(), SERVICE.token(), SERVICE.trust(), CoreSettings.TIMEOUT);

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
                SERVICE.read(settings, "distributedid.keyed.backend=remote needs the servers of an issuing service"),
                settings.get(CoreSettings.TIMEOUT));
    }
}
