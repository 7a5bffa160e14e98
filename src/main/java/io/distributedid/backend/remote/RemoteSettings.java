package io.distributedid.backend.remote;

import io.distributedid.internal.service.ServiceSettings;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.List;

/** The settings of the client of an issuing service. */
final class RemoteSettings {

    static final ServiceSettings SERVICE = new ServiceSettings(
            Setting.list(
                    "distributedid.remote.servers",
                    "The servers of an issuing service. Any of them is enough.",
                    ServiceSettings.ADDRESSES),
            Setting.password("distributedid.remote.token", "The token that the issuing service asks for."),
            Setting.text(
                            "distributedid.remote.trust",
                            "The certificates that those of the issuing service must be signed by.",
                            ServiceSettings.CERTIFICATES)
                    .defaultIs("those that the JVM trusts"));

    static final Setting<List<String>> SERVERS = SERVICE.servers();

    private RemoteSettings() {}

    /**
     * Reads them.
     *
     * @throws io.distributedid.IdConfigurationException if one is missing or not allowed
     */
    static ServiceSettings.Service read(Settings settings) {
        return SERVICE.read(settings, "The backend remote needs the servers of an issuing service");
    }
}
