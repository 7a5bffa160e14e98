package io.distributedid.internal.keyed;

import io.distributedid.internal.service.ServiceSettings;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.List;

/** The settings of numbers per key from an issuing service. */
final class KeyedRemoteSettings {

    static final ServiceSettings SERVICE = new ServiceSettings(
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

    static final List<Setting<?>> ALL = SERVICE.all();

    private KeyedRemoteSettings() {}

    /** @throws io.distributedid.IdConfigurationException if one is missing or not allowed */
    static ServiceSettings.Service read(Settings settings) {
        return SERVICE.read(settings, "distributedid.keyed.backend=remote needs the servers of an issuing service");
    }
}
