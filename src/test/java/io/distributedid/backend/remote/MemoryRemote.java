package io.distributedid.backend.remote;

import io.distributedid.internal.process.Platform;
import io.distributedid.internal.service.MemoryWire;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;

/** The client of services in the memory of a simulation. */
public final class MemoryRemote {

    private MemoryRemote() {}

    /** As the provider makes it. */
    public static Backend backend(BackendContext context, Platform platform, MemoryWire.Outside outside) {
        return new RemoteBackend(
                context,
                platform,
                service -> MemoryWire.pool(RemoteBackendProvider.SERVICE, service, outside, platform));
    }
}
