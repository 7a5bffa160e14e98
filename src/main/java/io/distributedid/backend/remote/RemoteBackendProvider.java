package io.distributedid.backend.remote;

import io.distributedid.internal.process.Platform;
import io.distributedid.internal.service.ServicePool;
import io.distributedid.internal.service.ServiceSettings;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.Collection;
import java.util.List;

/** {@code distributedid.backend=remote}: the servers of an issuing service. */
public final class RemoteBackendProvider implements BackendProvider {

    static final ServiceSettings SERVICE = new ServiceSettings(
            Setting.list(
                    "distributedid.remote.servers",
                    "The servers of an issuing service. Any of them is enough.",
                    ServiceSettings.ADDRESSES),
            Setting.password("distributedid.remote.token", "The token that the issuing service asks for."),
            Setting.text(
                            "distributedid.remote.trust",
                            "The certificates to trust for the issuing service.",
                            ServiceSettings.CERTIFICATES)
                    .defaultIs("those that the JVM trusts"));

    static final Setting<List<String>> SERVERS = SERVICE.servers();

    /** For {@link java.util.ServiceLoader}. */
    public RemoteBackendProvider() {}

    /** @throws io.distributedid.IdConfigurationException if a setting is missing or not allowed */
    static ServiceSettings.Service service(Settings settings) {
        return SERVICE.read(settings, "The backend remote needs the servers of an issuing service");
    }

    @Override
    public String name() {
        return "remote";
    }

    @Override
    public Collection<Setting<?>> settings() {
        return SERVICE.all();
    }

    @Override
    public boolean hasToken(Settings settings) {
        return true;
    }

    @Override
    public Backend create(BackendContext context) {
        return new RemoteBackend(
                context, Platform.JVM, service -> new ServicePool(SERVICE, service, "remote", Platform.JVM));
    }
}
