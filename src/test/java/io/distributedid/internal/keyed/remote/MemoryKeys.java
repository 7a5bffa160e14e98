package io.distributedid.internal.keyed.remote;

import io.distributedid.internal.keyed.source.KeyedSource;
import io.distributedid.internal.service.ServicePool;

/** Numbers per key of services in the memory of a simulation. */
public final class MemoryKeys {

    private MemoryKeys() {}

    /** Of these servers. */
    public static KeyedSource of(ServicePool pool) {
        return new RemoteKeys(pool);
    }
}
