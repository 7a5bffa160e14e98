package io.distributedid.backend.redis;

import io.distributedid.internal.counter.CountingBackend;
import io.distributedid.internal.process.Platform;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.Collection;

/** {@code distributedid.backend=redis}: a key for each sequence. */
public final class RedisBackendProvider implements BackendProvider {

    /** For {@link java.util.ServiceLoader}. */
    public RedisBackendProvider() {}

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public Collection<Setting<?>> settings() {
        return RedisSettings.ALL;
    }

    @Override
    public boolean hasToken(Settings settings) {
        return true;
    }

    @Override
    public Backend create(BackendContext context) {
        return new CountingBackend(context, new RedisStore(), Platform.JVM);
    }
}
