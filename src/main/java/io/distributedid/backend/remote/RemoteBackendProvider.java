package io.distributedid.backend.remote;

import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.Collection;

/** {@code distributedid.backend=remote}: the servers of an issuing service. */
public final class RemoteBackendProvider implements BackendProvider {

    /** For {@link java.util.ServiceLoader}. */
    public RemoteBackendProvider() {}

    @Override
    public String name() {
        return "remote";
    }

    @Override
    public Collection<Setting<?>> settings() {
        return RemoteSettings.SERVICE.all();
    }

    @Override
    public boolean hasToken(Settings settings) {
        return true;
    }

    @Override
    public Backend create(BackendContext context) {
        return new RemoteBackend(context, System::nanoTime);
    }
}
